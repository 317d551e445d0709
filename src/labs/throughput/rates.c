/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table, a column a row here. From 3.5 to 8.0 it is the slides' (NVIDIA's guide 11.5, 2021);
 * older ones stood in the guide of their day, newer ones in that of CUDA 12, which gives 8.6 the
 * 128 halves that it has; the slides' table has 256, as for 8.0.
 *
 * Where a guide's note takes something back for some cards, the number here is those cards' own:
 * 2 doubles for 7.5.
 */
#include "labs/throughput/rates.h"

#include "screen/picture.h"
#include <stdio.h>

static const struct rates {
    int from, to; /* compute capabilities */
    const char *name, *source;
    int rate[RATES]; /* in the order of enum rate_kind */
} rates[] = {
    {20, 20, "2.0", "NVIDIA's guide 7.5, 2015", {0, 32, 16, 4, 32, 16}},
    {21, 21, "2.1", "NVIDIA's guide 7.5, 2015", {0, 48, 4, 8, 48, 16}},
    {30, 32, "3.0", "NVIDIA's guide 7.5, 2015", {0, 192, 8, 32, 160, 32}},
    {35, 37, "3.5", "NVIDIA's guide 11.5, 2021", {0, 192, 64, 32, 160, 32}},
    {50, 52, "5.0", "NVIDIA's guide 11.5, 2021", {0, 128, 4, 32, 128, -1}},
    {53, 53, "5.3", "NVIDIA's guide 11.5, 2021", {256, 128, 4, 32, 128, -1}},
    {60, 60, "6.0", "NVIDIA's guide 11.5, 2021", {128, 64, 32, 16, 64, -1}},
    {61, 61, "6.1", "NVIDIA's guide 11.5, 2021", {2, 128, 4, 32, 128, -1}},
    {62, 62, "6.2", "NVIDIA's guide 11.5, 2021", {256, 128, 4, 32, 128, -1}},
    {70, 72, "7.0", "NVIDIA's guide 11.5, 2021", {128, 64, 32, 16, 64, 64}},
    {75, 75, "7.5", "NVIDIA's guide 11.5, 2021", {128, 64, 2, 16, 64, 64}},
    {80, 80, "8.0", "NVIDIA's guide 11.5, 2021", {256, 64, 32, 16, 64, 64}},
    {86, 86, "8.6", "NVIDIA's guide 12, 2023", {128, 128, 2, 16, 64, 64}},
    {89, 89, "8.9", "NVIDIA's guide 12, 2023", {128, 128, 2, 16, 64, 64}},
    {90, 90, "9.0", "NVIDIA's guide 12, 2023", {256, 128, 64, 16, 64, 64}},
};
enum { COLUMNS = sizeof rates / sizeof rates[0] };

static const struct rates *rates_of(const struct device_props *p)
{
    const int capability = p->major * 10 + p->minor;
    for (int i = 0; i < COLUMNS; i++)
        if (rates[i].from <= capability && capability <= rates[i].to)
            return &rates[i];
    return NULL;
}

int rate_of(const struct device_props *p, enum rate_kind kind)
{
    const struct rates *of = rates_of(p);
    return of ? of->rate[kind] : RATE_UNKNOWN;
}

const char *rate_source(const struct device_props *p)
{
    const struct rates *of = rates_of(p);
    return of ? of->source : "no guide";
}

const char *rate_name(enum rate_kind kind)
{
    static const char *const names[RATES] = {"f16", "f32", "f64", "special", "int-add", "int-mul"};
    return names[kind];
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

static void put_rates(const struct rates *of, bool here, struct table *t, struct json *j)
{
    char text[NUM_TEXT];
    table_cell(t, "%s%s", of->name, here ? " *" : "");
    json_object(j, NULL);
    json_text(j, "compute_capability", of->name);
    json_text(j, "source", of->source);
    for (int k = 0; k < RATES; k++) {
        table_cell(t, "%s", rate_text(of->rate[k], text));
        if (of->rate[k] >= 0)
            json_int(j,
                     k == RATE_INT_ADD   ? "int_add"
                     : k == RATE_INT_MUL ? "int_mul"
                                         : rate_name(k),
                     of->rate[k]);
    }
    table_cell(t, "%s", of->source);
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
    for (int i = 0; i < COLUMNS; i++)
        put_rates(&rates[i], &rates[i] == rates_of(p), &t, &r->result);
    json_end_array(&r->result);
    say_table(r, &t);
}
