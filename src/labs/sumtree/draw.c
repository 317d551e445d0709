/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps of an addition as a picture: one by one a table of turns, else a row of values after
 * each step, under a row of whom each thread read.
 */
#include "labs/sumtree/work.h"

#include "screen/picture.h"

#include <stdio.h>

enum { NOBODY = ADDING_NOBODY };

static float value_of(const struct adding_task *t, int thread, const struct adding *a, int turn)
{
    float next = turn + 1 < t->n ? a->before[turn + 1] : a->total;
    float own = t->value[thread];
    return thread < t->first && next == a->before[turn] ? 0 : own;
}

static void draw_turns(const struct adding_task *t, const struct adding *a, struct report *r)
{
    static const struct table_column columns[] = {{.head = "turn", .right = true, .tells = "turn %:"},
                                                  {.head = "thread", .right = true, .tells = "thread %"},
                                                  {.head = "adds", .right = true, .tells = "adds %"},
                                                  {.head = "total", .right = true}};
    struct table table;
    table_begin(&table, columns, 4, 2);
    table_cell(&table, "start");
    table_cell(&table, "-");
    table_cell(&table, "-");
    table_cell(&table, "%.7g", (double)t->start);
    for (int k = 0; k < t->n; k++) {
        table_cell(&table, "%d", k + 1);
        table_cell(&table, "%d", t->order[k]);
        table_cell(&table, "%.7g", (double)value_of(t, t->order[k], a, k));
        table_cell(&table, "%.7g", (double)(k + 1 < t->n ? a->before[k + 1] : a->total));
    }
    say_table(r, &table);
}

/* One row of whom they read, one of what they hold then. In a tree half of them are done. */
static void put_step(struct picture_row rows[2], const struct adding *a, int step, int n)
{
    int left = n;
    for (int k = 0; k < step; k++)
        left = (left + 1) / 2;
    for (int i = 0; i < n; i++) {
        int from = a->source[step][i];
        char *reads = rows[0].cell[i], *holds = rows[1].cell[i];
        snprintf(holds, sizeof rows[1].cell[i], "%.4g", (double)a->after[step][i]);
        if (from == i)
            snprintf(reads, sizeof rows[0].cell[i], "self");
        else if (from != NOBODY)
            snprintf(reads, sizeof rows[0].cell[i], "%d", from);
        else {
            snprintf(reads, sizeof rows[0].cell[i], ".");
            if (i >= left)
                snprintf(holds, sizeof rows[1].cell[i], ".");
        }
        rows[0].ink[i] = from == i ? INK_BAD : INK_PLAIN;
    }
}

void adding_draw(enum adding_way way, const struct adding_task *t, const struct adding *a,
                 struct report *r)
{
    static const char *const labels[] = {"start", "step 1", "step 2", "step 3", "step 4", "step 5"};
    struct picture_row rows[2 * (ADDING_STEPS + 1)] = {0};
    if (way == ADD_LINEAR) {
        draw_turns(t, a, r);
        return;
    }
    for (int step = 0; step <= a->steps; step++) {
        rows[2 * step].label = "reads";
        rows[2 * step].may_go = rows[2 * step + 1].may_go = true;
        rows[2 * step + 1].label = labels[step];
        put_step(&rows[2 * step], a, step, t->n);
    }
    say_picture(r, "thread", rows + 1, (unsigned)(2 * a->steps + 1), (unsigned)t->n);
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void put_turns(const struct adding_task *t, const struct adding *a, struct json *j)
{
    json_array(j, "turns");
    for (int k = 0; k < t->n; k++) {
        json_object(j, NULL);
        json_int(j, "thread", t->order[k]);
        json_f32(j, "adds", value_of(t, t->order[k], a, k));
        json_f32(j, "total", k + 1 < t->n ? a->before[k + 1] : a->total);
        json_end_object(j);
    }
    json_end_array(j);
}

void adding_put(enum adding_way way, const struct adding_task *t, const struct adding *a,
                struct json *j)
{
    if (way == ADD_LINEAR) {
        put_turns(t, a, j);
        return;
    }
    json_array(j, "steps");
    for (int step = 0; step <= a->steps; step++) {
        json_object(j, NULL);
        json_array(j, "reads");
        for (int i = 0; i < t->n; i++)
            if (a->source[step][i] == NOBODY)
                json_null(j, NULL);
            else
                json_int(j, NULL, a->source[step][i]);
        json_end_array(j);
        json_array(j, "values");
        for (int i = 0; i < t->n; i++)
            json_f32(j, NULL, a->after[step][i]);
        json_end_array(j);
        json_end_object(j);
    }
    json_end_array(j);
}
