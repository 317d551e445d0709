/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sumtree: up to 32 threads add up one value each, one by one or in a tree, drawn step by step.
 * The rules are in labs/sumtree/work.c, the picture in labs/sumtree/draw.c.
 *
 * Without --fill the values are those of the textbook's figures: f(x) = 2x + 1 at the points of a
 * trapezoidal rule from 0 to N. The start of the total has both ends in it already, so that thread
 * 0 has nothing to add.
 */
#include "labs/sumtree/work.h"

#include "labkit/floats.h"
#include "labkit/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sumtree_options {
    struct lab_options lab;
    int n;
    const char *order, *fill; /* NULL: not typed */
};

struct sumtree {
    struct lab_run run;
    const struct sumtree_options *options;
    struct adding_task task, book; /* as asked; with the textbook's values */
    struct adding last;            /* what the device left */
    /* What the facts say: */
    struct adding_task now;        /* one of these two */
    const char *fill;
    enum adding_way way;
    bool linear, halves;           /* halves: it goes in steps */
    int steps, tree, in_a_row, in_all;
};

enum { BOOK_THREADS = 8 };

/* ---- opening ---------------------------------------------------------------------------- */

/* The textbook's values: half of f(0) and f(n) first, then a value for each point after 0. */
static void take_book(struct adding_task *t)
{
    t->first = 1;
    t->start = 0.5f * (float)(1 + 2 * t->n + 1);
    for (int i = 0; i < t->n; i++)
        t->value[i] = (float)(2 * i + 1);
}

static bool is_in(const int *order, int count, int thread)
{
    for (int k = 0; k < count; k++)
        if (order[k] == thread)
            return true;
    return false;
}

/* Those that --order names, then the others as they are numbered. */
static int read_order(struct adding_task *t, const char *text, struct report *r)
{
    int count = 0;
    for (const char *at = text; *at; at += *at == ',') {
        char *end;
        long thread = strtol(at, &end, 10); /* the parser has seen to it that it is one */
        if (thread >= t->n)
            return report_fail(r, "--order: there is no thread %ld; %d threads are 0 to %d",
                               thread, t->n, t->n - 1);
        if (is_in(t->order, count, (int)thread))
            return report_fail(r, "--order: thread %ld is named twice; each thread has one turn",
                               thread);
        t->order[count++] = (int)thread;
        at = end;
    }
    for (int i = 0; count < t->n; i++)
        if (!is_in(t->order, count, i))
            t->order[count++] = i;
    return 0;
}

/* One of the n! orders that chance could give. */
static void draw_order(struct adding_task *t, uint64_t seed)
{
    for (int i = 0; i < t->n; i++)
        t->order[i] = i;
    for (int i = t->n - 1; i > 0; i--) {
        int other = (int)(lab_drawn(seed, (uint32_t)i) % (uint32_t)(i + 1)), kept = t->order[i];
        t->order[i] = t->order[other];
        t->order[other] = kept;
    }
}

static int take_order(struct adding_task *t, const struct sumtree *w)
{
    static const int book_order[BOOK_THREADS] = {5, 2, 3, 7, 4, 6, 0, 1}; /* its table 6.6 */
    const struct sumtree_options *o = w->options;
    if (o->order)
        return read_order(t, o->order, w->run.report);
    if (t->n == BOOK_THREADS && !o->lab.seed_given)
        memcpy(t->order, book_order, sizeof book_order);
    else
        draw_order(t, lab_seed(w->run.session, &o->lab));
    return 0;
}

/* -1: the report says why. */
static int open_task(struct sumtree *w)
{
    const struct sumtree_options *o = w->options;
    struct session *s = w->run.session;
    w->task.n = o->n;
    if (take_order(&w->task, w))
        return -1;
    w->book = w->task;
    take_book(&w->book);
    if (!o->fill) {
        w->task = w->book;
        return 0;
    }
    return floats_fill(s, "fill", o->fill, lab_seed(s, &o->lab), w->task.value, (uint64_t)o->n,
                       w->run.report);
}

/* ---- what there is to say --------------------------------------------------------------- */

static void draw_steps(struct report *r, const void *found)
{
    const struct sumtree *w = found;
    adding_draw(w->way, &w->now, &w->last, r);
    say(r, "\n");
}

static void put_steps(struct json *j, const void *found)
{
    const struct sumtree *w = found;
    adding_put(w->way, &w->now, &w->last, j);
}

static const struct fact task[] = {
    {.name = "n", FACT_AT(struct sumtree, now.n)},
    {.name = NULL},
};

static const struct fact facts[] = {
    {.draw = draw_steps},
    FACT_VARIANT,
    {.name = "start", FACT_AT(struct sumtree, now.start), .format = "%.7g"},
    {.name = "sum", FACT_AT(struct sumtree, run.got.value_f32), .format = "%.7g", .label = "sum",
     .says = "{sum:%.9g}    exact {exact:%.9g}"},
    {.label = "check",
     .says = "{verdict}: the values of all steps {right?are the same as|differ from those} in "
             "plain C"},
    {.name = "exact", FACT_AT(struct sumtree, run.got.expected), .format = "%.7g"},
    {.name = "error", FACT_AT(struct sumtree, run.got.error)},
    {FACT(struct sumtree, in_a_row), .label = "in a row",
     .says = "{in_a_row} additions, of {in_all} in all"},
    {FACT(struct sumtree, in_all)},
    {.label = "in a tree", WHEN(struct sumtree, linear),
     .says = "{tree} additions in a row: {steps step} and one atomic addition"},
    {.label = "linear", WHEN(struct sumtree, halves),
     .says = "{n} in a row; here {steps step} and one atomic addition"},
    {.put = put_steps},
    FACT_OK,
    {.name = NULL},
};

/* What else the texts may name. */
static const struct fact words[] = {
    {.name = "first", FACT_AT(struct sumtree, now.first)},
    {FACT(struct sumtree, fill)},
    {FACT(struct sumtree, steps)},
    {FACT(struct sumtree, tree)},
    {.name = NULL},
};

static int find(void *self, const struct lab_variant *v)
{
    struct sumtree *w = self;
    const int n = w->task.n;
    w->now = v && v->mended_by ? w->book : w->task;
    w->fill = w->options->fill;
    w->steps = adding_steps(n);
    w->tree = adding_in_a_row(ADD_TREE, n);
    w->way = v ? (enum adding_way)v->tag : ADD_LINEAR;
    w->linear = w->way == ADD_LINEAR;
    w->halves = !w->linear;
    w->in_a_row = adding_in_a_row(w->way, n);
    w->in_all = adding_in_all(w->way, &w->last, n);
    if (v && w->options->order && w->halves && !lab_runs_all(&w->options->lab))
        return report_fail(w->run.report, "--order is only for `linear`, where the threads add "
                                          "one after another; in %s all add at the same time",
        v->name);
    return 0;
}

static int attempt(void *self, const struct trial *how, struct attempt *got)
{
    struct sumtree *w = self;
    if (!adding_takes(w->way, w->now.n)) {
        snprintf(got->not_run, sizeof got->not_run,
                 "it takes 2, 4, 8, 16 or 32 threads; `tree` takes any number");
        return 0;
    }
    if (adding_run(w->way, &w->now, how, &w->last, got))
        return -1;
    if (how->variant->mended_by && !how->quiet) {
        say(how->report, "\n");
        adding_draw(w->way, &w->now, &w->last, how->report);
    }
    return 0;
}

/* ---- the ladder ------------------------------------------------------------------------- */

static const struct ladder_column columns[] = {
    {"atomics", offsetof(struct counters, global_atomics)},
    {"shuffles", offsetof(struct counters, shuffles)},
    {"barriers", offsetof(struct counters, barriers)},
    {"shared", offsetof(struct counters, shared_load_requests)},
    {"instr", offsetof(struct counters, warp_instructions)},
    {NULL, 0},
};

static const struct ladder ladder = {
    .value = "sum",
    .kind = VALUE_F32,
    .order = "in a row: the additions that wait for one another",
    .columns = columns,
    .head = "{n} threads, start {start}, {first?f(x) = 2x + 1 on [0, {n}]|values {fill:%.60s}}",
    .beside_head = "in a row",
    .beside = "{in_a_row}",
    .task = task,
    .facts = facts,
    .words = words,
    .attempt = attempt,
    .find = find,
};

/* ---- the command ------------------------------------------------------------------------ */

static const struct lab_variant variants[] = {
    {"linear", "sumtree_linear", "one atomic operation per thread, one after another",
     .tag = ADD_LINEAR},
    {"tree", "sumtree_tree", "half of the threads add, then a quarter, and so on", .tag = ADD_TREE},
    {"shuffle", "sumtree_shuffle", "the same in registers, with shuffles", .tag = ADD_SHUFFLE},
    {"dissemination", "sumtree_dissemination", "all lanes add, with wrap-around: all get the sum",
     .tag = ADD_DISSEMINATION},
    {"butterfly", "sumtree_butterfly", "pairs of lanes exchange values (xor): all get the sum",
     .tag = ADD_BUTTERFLY},
    {"noguard", "sumtree_noguard", "thread 0 also adds f(0), as in table 6.6 of the textbook",
     "linear", NULL, ADD_LINEAR},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct sumtree_options, order), .type = ARG_LIST, .lo = 0, .hi = ADDING_MOST - 1,
     .help = "the threads that add first in `linear`, as in 5,2,3; the others follow in order"},
    {OPTION(struct sumtree_options, fill), .value = "FILL", .type = ARG_TEXT,
     .help = "the values of the threads, as for `array`: iota, list:1,2,3, random; default: f(x) "
             "= 2x + 1"},
    {0},
};
static const struct arg_spec operands[] = {
    {.name = "N", BIND(struct sumtree_options, n), .type = ARG_INT, .lo = 2, .hi = ADDING_MOST,
     .initial = "8", .help = "the number of threads, all in one warp"},
    {0},
};
static const struct lab lab = {
    .module = "sumtree",
    .takes = TAKES_LADDER | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const void *given, struct report *r)
{
    const struct sumtree_options *o = given;
    struct sumtree w = {.run = {s, r, &o->lab, &lab}, .options = o};
    return open_task(&w) ? -1 : ladder_run(&ladder, &w.run);
}

const struct command lab_sumtree = {
    LAB_COMMAND(struct sumtree_options),
    .name = "sumtree",
    .summary = "a sum of a few values: one after another, or in a tree",
    .options = options,
    .operands = operands,
};
