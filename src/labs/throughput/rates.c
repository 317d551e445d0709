/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guides' tables as dev/cards.def has them, a column a row here.
 */
#include "labs/throughput/work.h"

#include "screen/picture.h"
#include <stdio.h>

static const struct capability *column_of(const struct device_props *p)
{
    return capability_column(capability_of(p->major, p->minor));
}

static int rate_in(const struct capability *c, enum rate_kind kind)
{
    const int rates[RATES] = {c->rates.f16,     c->cores_per_sm,  c->f64_per_sm,
                              c->rates.special, c->rates.int_add, c->rates.int_mul};
    return rates[kind];
}

int rate_of(const struct device_props *p, enum rate_kind kind)
{
    const struct capability *c = column_of(p);
    return c ? rate_in(c, kind) : RATE_UNKNOWN;
}

const char *rate_source(const struct device_props *p)
{
    const struct capability *c = column_of(p);
    return c ? c->rates.guide : "no guide";
}

const char *rate_text(int rate, char out[NUM_TEXT])
{
    if (rate > 0)
        snprintf(out, NUM_TEXT, "%d", rate);
    else
        snprintf(out, NUM_TEXT, "%s",
                 rate == RATE_NONE      ? "none"
                 : rate == RATE_SEVERAL ? "several"
                                        : "-");
    return out;
}

static void put_rates(const struct capability *of, bool here, struct table *t, struct json *j)
{
    static const char *const names[RATES] = {"f16", "f32", "f64", "special", "int_add", "int_mul"};
    char text[NUM_TEXT];
    table_cell(t, "%s%s", of->rates.column, here ? " *" : "");
    json_object(j, NULL);
    json_text(j, "compute_capability", of->rates.column);
    json_text(j, "source", of->rates.guide);
    for (int k = 0; k < RATES; k++) {
        table_cell(t, "%s", rate_text(rate_in(of, (enum rate_kind)k), text));
        if (rate_in(of, (enum rate_kind)k) >= 0)
            json_int(j, names[k], rate_in(of, (enum rate_kind)k));
    }
    table_cell(t, "%s", of->rates.guide);
    json_end_object(j);
}

void say_rates(struct report *r, const struct device_props *p)
{
    static const struct table_column columns[] = {
        {.head = "from"},
        {.head = "f16", .right = true},
        {.head = "f32", .right = true},
        {.head = "f64", .right = true},
        {.head = "special", .right = true},
        {.head = "int add", .right = true},
        {.head = "int mul", .right = true},
        {.head = "as in", .gives_way = 1},
    };
    struct table t;
    table_begin(&t, columns, sizeof columns / sizeof columns[0], 2);
    json_array(&r->result, "rates");
    for (const struct capability *c = capabilities; c < capabilities + capability_count; c++)
        if (capability_column(c) == c)
            put_rates(c, c == column_of(p), &t, &r->result);
    json_end_array(&r->result);
    say_table(r, &t);
}
