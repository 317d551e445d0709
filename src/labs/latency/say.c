/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the latency lab shows: where a chase ended, what it asked for, on a GPU what its clock
 * said; and beside it what others have said of the same level, each with its machine and year.
 */
#include "labs/latency/say.h"

#include "labs/latency/work.h"
#include "labkit/lab.h"
#include "labkit/memories.h"
#include <stdio.h>
#include <string.h>

/* What a load takes (or, of registers, an operation), in cycles, as others have it. */
struct latency_claim {
    enum chase_level level;
    const char *who, *machine;
    int year;
    const char *text; /* as they say it */
    int low, high;    /* 0: they give none */
};

/* ---- what others say -------------------------------------------------------------------- */

static const struct latency_claim claims[] = {
    {CHASE_REGISTER, "textbook", "2.1 to 5.2", 2015, "1", 1, 1},
    {CHASE_SHARED, "textbook", "2.1 to 5.2", 2015, "about 10", 10, 10},
    {CHASE_GLOBAL, "textbook", "2.1 to 5.2", 2015, "100 to 1000", 100, 1000},
    {CHASE_REGISTER, "slides", "Fermi", 2011, "1", 1, 1},
    {CHASE_SHARED, "slides", "Fermi", 2011, "1", 1, 1},
    {CHASE_GLOBAL, "slides", "Fermi", 2011, "slow", 0, 0},
    {CHASE_CONSTANT, "slides", "Fermi", 2011, "1", 1, 1},
    {CHASE_CONSTANT_MISS, "slides", "Fermi", 2011, "10s to 100s", 10, 0},
    {CHASE_REGISTER, "NVIDIA", "2.x", 2012, "22", 22, 22},
    {CHASE_REGISTER, "NVIDIA", "3.x", 2012, "11", 11, 11},
    {CHASE_GLOBAL, "NVIDIA", "2.x", 2012, "400 to 800", 400, 800},
    {CHASE_GLOBAL, "NVIDIA", "3.x", 2012, "200 to 400", 200, 400},
    {CHASE_REGISTER, "Jia and others", "V100", 2018, "4", 4, 4},
    {CHASE_SHARED, "Jia and others", "V100", 2018, "19", 19, 19},
    {CHASE_L1, "Jia and others", "V100", 2018, "28", 28, 28},
    {CHASE_L2, "Jia and others", "V100", 2018, "193", 193, 193},
    {CHASE_REGISTER, "Jia and others", "T4", 2019, "4", 4, 4},
    {CHASE_SHARED, "Jia and others", "T4", 2019, "19", 19, 19},
    {CHASE_L1, "Jia and others", "T4", 2019, "32", 32, 32},
    {CHASE_L2, "Jia and others", "T4", 2019, "188", 188, 188},
};
enum { CLAIMS = sizeof claims / sizeof claims[0] };

static const char *claim_text(enum chase_level level, const char *who, const char *machine)
{
    for (int i = 0; i < CLAIMS; i++) {
        const struct latency_claim *c = &claims[i];
        if (c->level == level && strcmp(c->who, who) == 0 &&
            (!machine || strcmp(c->machine, machine) == 0))
            return c->text;
    }
    return "-";
}

/* ---- one chase as JSON
 * ----------------------------------------------------------------------------- */

static bool shows_cycles(const struct chase *c, const struct report *r)
{
    return c->cycles >= 0 && r->volatile_on;
}

static double cycles_each(const struct chase *c)
{
    return c->steps ? (double)c->cycles / (double)c->steps : 0;
}

static void put_chase(const struct chase *c, const struct report *r, struct json *j)
{
    json_text(j, "variant", c->variant->name);
    json_uint(j, "ring_bytes", c->bytes);
    json_uint(j, "stride", c->stride);
    json_uint(j, "places", c->places);
    json_uint(j, "warm_steps", c->warm);
    json_uint(j, "steps", c->steps);
    json_uint(j, "loads_predicted", c->predicted);
    if (c->has_loads) {
        json_uint(j, "loads", c->loads);
        json_uint(j, "sectors", c->result.counters.global_load_sectors);
        json_uint(j, "warp_instructions", c->result.counters.warp_instructions);
    }
    if (shows_cycles(c, r)) {
        json_int(j, "cycles", c->cycles);
        json_f64(j, "cycles_per_step", cycles_each(c));
    }
    json_bool(j, "ok", c->right);
}

static const char *const names[CHASE_LEVELS] = {
    [CHASE_REGISTER] = "register",
    [CHASE_SHARED] = "shared",
    [CHASE_L1] = "l1",
    [CHASE_L2] = "l2",
    [CHASE_GLOBAL] = "global",
    [CHASE_CONSTANT] = "constant",
    [CHASE_CONSTANT_MISS] = "constant-miss",
};

/* Of one level, or of all: -1. */
static void put_claims(struct json *j, int level)
{
    json_array(j, "claims");
    for (int i = 0; i < CLAIMS; i++) {
        const struct latency_claim *c = &claims[i];
        if (level >= 0 && (int)c->level != level)
            continue;
        json_object(j, NULL);
        json_text(j, "level", names[c->level]);
        json_text(j, "who", c->who);
        json_text(j, "machine", c->machine);
        json_int(j, "year", c->year);
        json_text(j, "says", c->text);
        if (c->low)
            json_int(j, "cycles_low", c->low);
        if (c->high)
            json_int(j, "cycles_high", c->high);
        json_end_object(j);
    }
    json_end_array(j);
}

static void explain(const struct chase *c, const char *which, struct report *r)
{
    struct slots s;
    char text[NUM_TEXT];
    slots_init(&s);
    slot(&s, "steps", "%s", num_group((int64_t)c->steps, text));
    slot(&s, "warm", "%s", num_group((int64_t)c->warm, text));
    slot(&s, "places", "%s", num_group((int64_t)c->places, text));
    slot(&s, "ring", "%s", num_bytes(c->bytes, text));
    slot(&s, "stride", "%llu", (unsigned long long)c->stride);
    lab_explain_slots(r, "latency", which, &s);
}

static struct chase chase_of(const struct lab_variant *v, const struct session *s,
                             const struct args *args)
{
    return (struct chase){
        .variant = v,
        .bytes = arg_given(args, "bytes") ? (uint64_t)arg_int(args, "bytes") : 0,
        .stride = arg_given(args, "stride") ? (uint64_t)arg_int(args, "stride") : 0,
        .steps = arg_given(args, "steps") ? (uint64_t)arg_int(args, "steps") : 0,
        .forward = arg_choice(args, "order") == 1,
        .seed = lab_seed(s, args->options),
    };
}

/* ---- one level -------------------------------------------------------------------------- */

static void say_chase(const struct chase *c, struct session *s, struct report *r)
{
    char line[160], steps[NUM_TEXT], ring[NUM_TEXT], loads[NUM_TEXT], warm[NUM_TEXT];
    num_group((int64_t)c->steps, steps);
    if (c->places)
        snprintf(line, sizeof line, "%s: one thread, %s steps round a ring of %s, %llu bytes apart",
                 c->variant->name, steps, num_bytes(c->bytes, ring),
                 (unsigned long long)c->stride);
    else
        snprintf(line, sizeof line, "%s: one thread, %s multiply-adds in a chain", c->variant->name,
                 steps);
    say_head(r, s, line);
    if (c->variant->tag == CHASE_GLOBAL && c->bytes < s->device->props.l2_bytes)
        say_item(r, "ring",
                 session_on_gpu(s)
                     ? "shorter than L2, which can hold it: no miss to be sure of"
                     : "short, since nothing here is a cache; a GPU gets 4 times its L2");
    if (shows_cycles(c, r))
        say_item(r, "clock", "%.1f cycles a step    %lld in all, by the GPU's own clock",
                 cycles_each(c), (long long)c->cycles);
    else
        say_item(r, "clock",
                 c->cycles >= 0 ? "measured; `set volatile on` shows it"
                                : "none: the simulator counts, it keeps no time");
    say_item(r, "check", "%s: after %s steps, and %s more, it is where plain C comes to",
             c->right ? "right" : "WRONG", num_group((int64_t)c->warm, warm), steps);
    if (c->has_loads && c->places)
        say_item(r, "loads", "%s, as predicted: a step is one; %s warp instructions in all",
                 num_group((int64_t)c->loads, loads),
                 num_group((int64_t)c->result.counters.warp_instructions, warm));
    else if (c->has_loads)
        say_item(r, "loads", "none from any memory; %s warp instructions in all",
                 num_group((int64_t)c->result.counters.warp_instructions, warm));
}

static void say_claims(int level, struct report *r)
{
    static const struct table_column columns[] = {{.head = "others say"},
                                                  {.head = "of"},
                                                  {.head = "year", .right = true},
                                                  {.head = "cycles", .right = true}};
    struct table t;
    table_begin(&t, columns, 4, 2);
    for (int i = 0; i < CLAIMS; i++) {
        const struct latency_claim *c = &claims[i];
        if ((int)c->level != level)
            continue;
        table_cell(&t, "%s", c->who);
        table_cell(&t, "%s", c->machine);
        table_cell(&t, "%d", c->year);
        table_cell(&t, "%s", c->text);
    }
    if (t.cells == 0)
        table_note(&t, "nobody here: no figure for this level");
    say(r, "\n");
    say_table(r, &t);
}

int latency_one(struct session *s, const struct args *args, const struct lab_variant *v,
                struct report *r)
{
    struct chase c = chase_of(v, s, args);
    c.trace = arg_flag(args, "trace");
    int failed = chase_choose(&c, s, r) || chase_run(&c, s, r) || r->status != REPORT_OK;
    if (!failed) {
        say_chase(&c, s, r);
        say_claims(v->tag, r);
        put_chase(&c, r, &r->result);
        put_claims(&r->result, v->tag);
        lab_extras(s, args->options, &c.result, r);
        failed = r->status != REPORT_OK;
    }
    launch_result_free(&c.result);
    if (failed)
        return -1;
    explain(&c, v->name, r);
    return c.right ? 0
                   : report_fail(r,
                                 "%s: the chase's end or its loads are not what plain C "
                                 "gives",
                                 v->name);
}

/* ---- all of them ------------------------------------------------------------------------ */

/* What the columns of the table are: on a GPU its own clock, everywhere what others say. */
static int choose_columns(bool cycles, struct table_column columns[TABLE_COLUMNS])
{
    int n = 0;
    columns[n++] = (struct table_column){.head = "level"};
    columns[n++] = (struct table_column){.head = "ring", .right = true, .gives_way = 2};
    columns[n++] = (struct table_column){.head = "loads", .right = true, .gives_way = 1};
    if (cycles)
        columns[n++] = (struct table_column){.head = "HERE", .right = true};
    columns[n++] = (struct table_column){.head = "textbook", .right = true};
    columns[n++] = (struct table_column){.head = "slides", .right = true};
    columns[n++] = (struct table_column){.head = "V100", .right = true};
    columns[n++] = (struct table_column){.head = "T4", .right = true};
    columns[n++] = (struct table_column){.head = ""};
    return n;
}

static void put_row(const struct chase *c, bool cycles, struct table *t)
{
    char text[NUM_TEXT];
    enum chase_level level = (enum chase_level)c->variant->tag;
    table_cell(t, "%s", c->variant->name);
    table_cell(t, "%s", c->places ? num_bytes(c->bytes, text) : "-");
    if (c->has_loads)
        table_cell(t, "%s", num_group((int64_t)c->loads, text));
    else
        table_cell(t, "-");
    if (cycles)
        table_cell(t, "%.1f", cycles_each(c));
    table_cell(t, "%s", claim_text(level, "textbook", NULL));
    table_cell(t, "%s", claim_text(level, "slides", NULL));
    table_cell(t, "%s", claim_text(level, "Jia and others", "V100"));
    table_cell(t, "%s", claim_text(level, "Jia and others", "T4"));
    table_cell_in(t, c->right ? INK_GOOD : INK_BAD, "%s", c->right ? "ok" : "WRONG");
}

/* One row, run and told; -1: the report says what stopped it. */
static int add_row(struct session *s, const struct args *args, const struct lab_variant *v,
                   struct chase *c, struct report *r)
{
    struct json *j = &r->variants;
    *c = chase_of(v, s, args);
    int failed = chase_choose(c, s, r) || chase_run(c, s, r) || r->status != REPORT_OK;
    launch_result_free(&c->result);
    if (failed)
        return -1;
    json_object(j, NULL);
    put_chase(c, r, j);
    json_bool(j, "wrong_on_purpose", false);
    if (c->has_loads) {
        json_object(j, "counters");
        for (const struct counter_name *n = counter_names; n->name; n++)
            json_uint(j, n->name, counter_at(&c->result.counters, n->offset));
        json_end_object(j);
    }
    json_end_object(j);
    return 0;
}

int latency_all(struct session *s, const struct args *args, const struct lab_variant *variants,
                struct report *r)
{
    const char *legend = "cycles a load, as others say: textbook, cards of 2010 to 2015; slides, "
                         "Fermi, about 2011; V100 (2018) and T4 (2019), measured by Jia and others";
    struct table_column columns[TABLE_COLUMNS];
    struct chase c = {0};
    struct table t;
    bool ok = true, cycles = session_on_gpu(s) && r->volatile_on;
    if (arg_given(args, "bytes") || arg_given(args, "stride"))
        return report_fail(r, "--bytes and --stride are of one level's ring: say which, for "
                              "example --variant l2");
    say_head(r, s, "a pointer chase through each level, from far to near");
    table_begin(&t, columns, choose_columns(cycles, columns), 0);
    for (const struct lab_variant *v = variants; v->name; v++) {
        if (add_row(s, args, v, &c, r)) {
            buf_free(&t.text);
            return -1;
        }
        put_row(&c, cycles, &t);
        ok = ok && c.right;
    }
    say_table(r, &t);
    text_wrap(&r->screen, legend, strlen(legend), r->width, 0);
    json_text(&r->result, "variant", "all");
    json_uint(&r->result, "steps", c.steps);
    put_claims(&r->result, -1);
    json_bool(&r->result, "ok", ok);
    explain(&c, !session_on_gpu(s) ? "all" : cycles ? "all-times" : "all-plain", r);
    return ok ? 0
              : report_fail(r, "a chase did not end where plain C does, or took other loads "
                               "than predicted");
}

/* ---- the host's calls ------------------------------------------------------------------- */

static const struct host_call calls[] = {
    {"cudaMalloc(&ring, bytes)", NULL, "the host waits for the address"},
    {"cudaMemcpy(ring, host, bytes, cudaMemcpyHostToDevice)", "the ring to the device",
     "the host waits until it is copied; of constant memory it is cudaMemcpyToSymbol"},
    {"%s<<<1, 1>>>(ring, warm, steps, end, cycles)", NULL,
     "one thread, which waits for each of its loads; the host does not wait"},
    {"cudaMemcpy(&cycles, ..., 8, cudaMemcpyDeviceToHost)", "8 bytes to the host",
     "the copy waits for the kernel, the host for the copy"},
    {NULL, NULL, NULL},
};

int latency_calls(struct session *s, const struct lab_variant *v, struct report *r)
{
    struct chase none = {.variant = v};
    say_head(r, s, "what the host calls for one chase");
    say_calls(r, calls, v->kernel);
    json_text(&r->result, "variant", v->name);
    explain(&none, "calls", r);
    return 0;
}
