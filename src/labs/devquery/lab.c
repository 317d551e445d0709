/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * devquery: what a device says of itself, as cudaGetDeviceProperties and
 * cudaDeviceGetAttribute would tell a program, and the peaks that follow from it. A small
 * kernel asks the device from inside too, and both must agree. What the fields are called
 * is in labkit/props.c.
 */
#include "labkit/lab.h"
#include "labkit/props.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cards ------------------------------------------------------------------------------ */

static const char *short_name(const char *name)
{
    static const char maker[] = "NVIDIA ";
    size_t n = sizeof maker - 1;
    return strncmp(name, maker, n) == 0 ? name + n : name;
}

static void put_card(struct table *t, const struct device_props *p)
{
    table_cell(t, "%s", p->profile);
    table_cell(t, "%s", short_name(p->name));
    table_cell(t, "%s", architecture_of(p));
    table_cell(t, "%d.%d", p->major, p->minor);
    table_cell(t, "%d", p->multiprocessors);
    table_cell(t, "%.0f", peak_gb_s(p));
    if (p->clock_khz)
        table_cell(t, "%.0f", peak_gflop_s(p, p->cores_per_sm));
    else
        table_cell(t, "-");
}

/* the profiles; "profiles" in JSON */
static void say_cards(struct report *r)
{
    static const struct table_column columns[] = {
        {.head = "profile"},
        {.head = "card", .folds = true},
        {.head = "architecture", .gives_way = 1},
        {.head = "cc", .right = true},
        {.head = "SMs", .right = true},
        {.head = "GB/s", .right = true},
        {.head = "GFLOPs", .right = true},
    };
    struct table t;
    table_begin(&t, columns, sizeof columns / sizeof columns[0], 0);
    json_array(&r->result, "profiles");
    for (size_t i = 0; i < card_count; i++) {
        const struct device_props p = card_props(&card_list[i]);
        if (!card_is_simulated(&card_list[i]))
            continue;
        put_card(&t, &p);
        json_props(&r->result, &p);
    }
    json_end_array(&r->result);
    say_table(r, &t);
}

/* ---- compute capabilities --------------------------------------------------------------- */

/* The textbook's table 6.3, which ends with Ampere, continued to today. */
static void say_architectures(struct report *r)
{
    static const struct table_column columns[] = {{.head = "architecture"},
                                                  {.head = "since", .right = true},
                                                  {.head = "compute capabilities", .folds = true},
                                                  {.head = "CUDA 13", .gives_way = 1}};
    struct table t;
    table_begin(&t, columns, sizeof columns / sizeof columns[0], 0);
    for (size_t i = 0, first; i < capability_count; i = first) {
        const struct capability *c = &capabilities[i];
        char all[60];
        int n = 0;
        for (first = i; first < capability_count; first++) {
            if (strcmp(capabilities[first].architecture, c->architecture) != 0)
                break;
            n += snprintf(all + n, sizeof all - (size_t)n, "%s%d.%d", n ? " " : "",
                          capabilities[first].major, capabilities[first].minor);
        }
        table_cell(&t, "%s", c->architecture);
        table_cell(&t, "%d", c->year);
        table_cell(&t, "%s", all);
        table_cell(&t, "%s", capability_by_cuda_13(c) ? "yes" : "no longer");
    }
    say(r, "\n");
    say_table(r, &t);
}

struct capability_row {
    struct capability c;
    char name[24];
    bool cuda_13;
    int k_registers, shared_kib; /* of an SM */
};

static const struct fact capability_facts[] = {
    {.name = "compute_capability", FACT_AT(struct capability_row, name), .head = "cc",
     .right = true},
    {.name = "architecture", FACT_AT(struct capability_row, c.architecture),
     .head = "architecture", .gives_way = 2},
    {.name = "since", FACT_AT(struct capability_row, c.year)},
    {.name = "such_as", FACT_AT(struct capability_row, c.such_as), .head = "such as",
     .gives_way = 1, .tells = "such as %"},
    {FACT(struct capability_row, cuda_13)},
    {.name = "max_threads_per_sm", FACT_AT(struct capability_row, c.threads_per_sm),
     .head = "threads", .right = true},
    {.name = "max_blocks_per_sm", FACT_AT(struct capability_row, c.blocks_per_sm),
     .head = "blocks", .right = true},
    {FACT_AT(struct capability_row, k_registers), .head = "K regs", .right = true,
     .tells = "% K registers"},
    {.name = "registers_per_sm", FACT_AT(struct capability_row, c.registers_per_sm)},
    {.name = "registers_per_block", FACT_AT(struct capability_row, c.registers_per_block)},
    {.name = "registers_per_thread", FACT_AT(struct capability_row, c.registers_per_thread),
     .head = "per thread", .right = true, .gives_way = 3,
     .tells = "% per thread"},
    {.name = "shared_per_sm", FACT_AT(struct capability_row, c.shared_per_sm)},
    {FACT_AT(struct capability_row, shared_kib), .head = "shared KiB", .right = true,
     .tells = "% KiB of shared memory"},
    {.name = "shared_reserved", FACT_AT(struct capability_row, c.shared_reserved), .if_set = true},
    {.name = "cores_per_sm", FACT_AT(struct capability_row, c.cores_per_sm)},
    {.name = "f64_per_sm", FACT_AT(struct capability_row, c.f64_per_sm), .if_set = true},
    {.name = NULL},
};

/* Each with its SM's limits; "architectures" in JSON. -1: no memory. */
static int say_capabilities(struct report *r)
{
    struct capability_row *rows = calloc(capability_count, sizeof *rows);
    if (!rows)
        return report_fail_limit(r, "out of memory");
    for (size_t i = 0; i < capability_count; i++) {
        const struct capability *c = &capabilities[i];
        rows[i] = (struct capability_row){.c = *c, .cuda_13 = capability_by_cuda_13(c),
                                          .k_registers = c->registers_per_sm / 1024,
                                          .shared_kib = c->shared_per_sm / 1024};
        snprintf(rows[i].name, sizeof rows[i].name, "%d.%d", c->major, c->minor);
    }
    facts_say_rows(capability_facts, rows, capability_count, sizeof rows[0], 0, r);
    facts_json_rows(capability_facts, "architectures", rows, capability_count, sizeof rows[0],
                    &r->result);
    free(rows);
    return 0;
}

struct devquery_options {
    struct lab_options lab;
    int d;
    bool d_given, list, architectures, names;
};

enum { SAYS_WARP_SIZE, SAYS_SMS, SAYS_COUNT = 7 }; /* what device_says stores, in order */

/* Does a kernel see the warp size and the multiprocessors that the properties name? */
static int ask_inside(struct session *s, bool *agrees, struct report *r)
{
    uint64_t out;
    unsigned says[SAYS_COUNT] = {0};
    struct launch_result result;
    const struct lab_launch l = {.module = "devquery", .kernel = "device_says",
                                 .grid = {1, 1, 1}, .block = {1, 1, 1}};
    const struct device_props *p = &s->device->props;
    if (lab_array(s, sizeof says, "out", says, &out, r) ||
        lab_launch(s, &l, &result, r, PARAMS(out)))
        return -1;
    const bool ended = launch_result_ended(&result);
    launch_result_free(&result);
    if (ended || session_fetch(s, says, out, sizeof says, r))
        return -1;
    *agrees = says[SAYS_WARP_SIZE] == (unsigned)p->warp_size &&
              (p->multiprocessors == 0 || says[SAYS_SMS] == (unsigned)p->multiprocessors);
    return 0;
}

static int explain(const struct device_props *p, const char *which, struct report *r)
{
    const struct props_peaks peaks = props_peaks(p);
    lab_explain(r, "devquery", which || peaks.balance > 0 ? which : "unpeaked",
                props_peak_facts, &peaks);
    return 0;
}

/* The number of the error was another one until CUDA 10.0, so its name is given too. */
static int no_such_device(struct report *r, int number, int count)
{
    return report_fail(r, "-d %d: there %s %d device%s here, and counting starts at 0, so -d %d "
                          "is the %s (CUDA says cudaErrorInvalidDevice, 101)",
                       number, count == 1 ? "is" : "are", count, count == 1 ? "" : "s",
                       count - 1, count == 1 ? "only one" : "last");
}

/* What is shown besides the fields of one device: calls and tables. */
static int run_calls(struct session *s, int number, struct report *r)
{
    static const struct fact facts[] = {{.name = "number", .kind = FACT_INT}, {.name = NULL}};
    say_head(r, s, "the calls that devquery stands for");
    lab_calls(r, "devquery", NULL, facts, &number);
    return explain(&s->device->props, "calls", r);
}

static int run_tables(struct session *s, bool cards, struct report *r)
{
    say_head(r, s, cards ? "cards that the simulator can stand for"
                         : "what an SM has room for, by compute capability");
    if (cards)
        say_cards(r);
    if (cards)
        say_architectures(r);
    else if (say_capabilities(r))
        return -1;
    return explain(&s->device->props, cards ? "list" : "architectures", r);
}

static int run(struct session *s, const void *given, struct report *r)
{
    const struct devquery_options *o = given;
    const struct device *d = s->device;
    const int count = d->cards ? d->cards->count : 1, number = o->d_given ? o->d : d->card;
    const bool in_use = number == d->card;
    bool agrees = true;
    char head[60], check[80];
    if (number >= count)
        return no_such_device(r, number, count);
    if (o->lab.calls)
        return run_calls(s, number, r);
    if (o->list || o->architectures)
        return run_tables(s, o->list, r);
    const struct device_props *p = in_use ? &d->props : &d->cards->at[number].props;
    if (in_use && ask_inside(s, &agrees, r))
        return -1;
    snprintf(head, sizeof head, "device %d of %d", number, count);
    snprintf(check, sizeof check, "a kernel also reads warp size %d and %d SMs", p->warp_size,
             p->multiprocessors);
    say_head(r, s, head);
    if (o->names)
        say_props_names(r, p);
    else
        say_props(r, p, !in_use ? NULL : agrees ? check : "A KERNEL READS OTHER VALUES");
    if (!in_use)
        say_item(r, "", "kernels run on gpu:%d; after `set device gpu:%d` a kernel also checks "
                        "the values",
                 d->card, number);
    put_devices(d, &r->result); /* all devices, also where the screen shows one */
    if (in_use)
        json_bool(&r->result, "ok", agrees);
    explain(p, o->names ? "names" : NULL, r);
    return agrees ? 0 : report_fail(r, "the kernel and the properties disagree");
}

/* ---- the command ------------------------------------------------------------------------ */

static const struct arg_spec options[] = {
    {OPTION(struct devquery_options, d), GIVEN(struct devquery_options, d), .type = ARG_INT,
     .lo = 0, .hi = 1023, .help = "the number of the device, from 0; the one in use if not given"},
    {OPTION(struct devquery_options, list), .help = "list the cards that the simulator can act as"},
    {OPTION(struct devquery_options, architectures),
     .help = "list every compute capability with its limits"},
    {OPTION(struct devquery_options, names), .help = "show how a CUDA program reads these "
                                                     "properties"},
    {0},
};
static const struct lab lab = {.module = "devquery", .takes = TAKES_CALLS};

const struct command lab_devquery = {
    LAB_COMMAND(struct devquery_options),
    .name = "devquery",
    .summary = "the properties of the device",
    .options = options,
};
