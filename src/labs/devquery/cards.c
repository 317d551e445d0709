/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of cards and of compute capabilities.
 */
#include "labs/devquery/cards.h"

#include "labkit/props.h"
#include "screen/facts.h"

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

void say_cards(struct report *r)
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
void say_architectures(struct report *r)
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
     .gives_way = 1},
    {FACT(struct capability_row, cuda_13)},
    {.name = "max_threads_per_sm", FACT_AT(struct capability_row, c.threads_per_sm),
     .head = "threads", .right = true},
    {.name = "max_blocks_per_sm", FACT_AT(struct capability_row, c.blocks_per_sm),
     .head = "blocks", .right = true},
    {FACT_AT(struct capability_row, k_registers), .head = "K regs", .right = true},
    {.name = "registers_per_sm", FACT_AT(struct capability_row, c.registers_per_sm)},
    {.name = "registers_per_block", FACT_AT(struct capability_row, c.registers_per_block)},
    {.name = "registers_per_thread", FACT_AT(struct capability_row, c.registers_per_thread),
     .head = "a thread", .right = true, .gives_way = 3},
    {.name = "shared_per_sm", FACT_AT(struct capability_row, c.shared_per_sm)},
    {FACT_AT(struct capability_row, shared_kib), .head = "shared KiB", .right = true},
    {.name = "shared_reserved", FACT_AT(struct capability_row, c.shared_reserved), .if_set = true},
    {.name = "cores_per_sm", FACT_AT(struct capability_row, c.cores_per_sm)},
    {.name = "f64_per_sm", FACT_AT(struct capability_row, c.f64_per_sm), .if_set = true},
    {.name = NULL},
};

int say_capabilities(struct report *r)
{
    struct capability_row *rows = calloc(capability_count, sizeof *rows);
    if (!rows)
        return report_fail(r, "out of memory");
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
