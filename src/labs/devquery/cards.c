/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of cards and of compute capabilities.
 */
#include "labs/devquery/cards.h"

#include "screen/picture.h"
#include "labkit/props.h"

#include <stdio.h>
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

/* The textbook's table 6.3, which ends with Ampere, carried on to today. */
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

static void put_capability(struct table *t, const struct capability *c)
{
    table_cell(t, "%d.%d", c->major, c->minor);
    table_cell(t, "%s", c->architecture);
    table_cell(t, "%s", c->such_as);
    table_cell(t, "%d", c->threads_per_sm);
    table_cell(t, "%d", c->blocks_per_sm);
    table_cell(t, "%d", c->registers_per_sm / 1024);
    table_cell(t, "%d", c->registers_per_thread);
    table_cell(t, "%d", c->shared_per_sm / 1024);
}

static void json_capability(struct json *j, const struct capability *c)
{
    char name[24];
    snprintf(name, sizeof name, "%d.%d", c->major, c->minor);
    json_object(j, NULL);
    json_text(j, "compute_capability", name);
    json_text(j, "architecture", c->architecture);
    json_int(j, "since", c->year);
    json_text(j, "such_as", c->such_as);
    json_bool(j, "cuda_13", capability_by_cuda_13(c));
    json_int(j, "max_threads_per_sm", c->threads_per_sm);
    json_int(j, "max_blocks_per_sm", c->blocks_per_sm);
    json_int(j, "registers_per_sm", c->registers_per_sm);
    json_int(j, "registers_per_block", c->registers_per_block);
    json_int(j, "registers_per_thread", c->registers_per_thread);
    json_int(j, "shared_per_sm", c->shared_per_sm);
    if (c->shared_reserved)
        json_int(j, "shared_reserved", c->shared_reserved);
    json_int(j, "cores_per_sm", c->cores_per_sm);
    if (c->f64_per_sm)
        json_int(j, "f64_per_sm", c->f64_per_sm);
    json_end_object(j);
}

void say_capabilities(struct report *r)
{
    static const struct table_column columns[] = {
        {.head = "cc", .right = true},
        {.head = "architecture", .gives_way = 2},
        {.head = "such as", .gives_way = 1},
        {.head = "threads", .right = true},
        {.head = "blocks", .right = true},
        {.head = "K regs", .right = true},
        {.head = "a thread", .right = true, .gives_way = 3},
        {.head = "shared KiB", .right = true},
    };
    struct table t;
    table_begin(&t, columns, sizeof columns / sizeof columns[0], 0);
    json_array(&r->result, "architectures");
    for (size_t i = 0; i < capability_count; i++) {
        put_capability(&t, &capabilities[i]);
        json_capability(&r->result, &capabilities[i]);
    }
    json_end_array(&r->result);
    say_table(r, &t);
}
