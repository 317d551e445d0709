/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * twice: each thread doubles one number. The lab that tests/recipes.t adds to a copy of the tree.
 */
#include "labkit/lab.h"

enum { MOST = 1024 };

struct twice_options {
    struct lab_options lab;
    int n;
};

struct twice {
    const struct twice_options *options;
    int last;
    bool ok;
};

static const struct fact facts[] = {
    {.name = "n", FACT_AT(struct twice, last), .label = "last", .says = "2 x {n} is in its place"},
    {FACT(struct twice, ok)},
    {.name = NULL},
};

/* --calls: what a program would call, instead of a run. */
static int tell_calls(struct session *s, const struct twice *t, struct report *r)
{
    say_head(r, s, "what the host calls");
    lab_calls(r, "twice", NULL, facts, t);
    lab_explain(r, "twice", "calls", facts, t);
    return 0;
}

static int run(struct session *s, const void *given, struct report *r)
{
    const struct twice_options *o = given;
    struct twice t = {.options = o, .last = o->n};
    float x[MOST], y[MOST];
    uint64_t from, to;
    struct launch_result result = {0};
    const size_t bytes = (size_t)o->n * sizeof x[0];
    const struct lab_launch l = {.module = "twice", .kernel = "twice", .grid = {1, 1, 1},
                                 .block = {MOST, 1, 1}, .trace = o->lab.trace};
    if (o->lab.calls)
        return tell_calls(s, &t, r);
    for (int i = 0; i < o->n; i++)
        x[i] = (float)(i + 1);
    if (lab_array(s, bytes, "x", x, &from, r) || lab_array(s, bytes, "y", NULL, &to, r) ||
        lab_launch(s, &l, &result, r, PARAMS(from, to, o->n)) ||
        session_fetch(s, y, to, bytes, r))
        return -1;
    t.ok = true;
    for (int i = 0; i < o->n; i++)
        t.ok &= y[i] == 2 * x[i];
    say_head(r, s, "twice: each thread doubles one number");
    facts_tell(facts, &t, r);
    lab_extras(s, &o->lab, &result, r);
    launch_result_free(&result);
    lab_explain(r, "twice", NULL, facts, &t);
    return t.ok ? 0 : report_fail(r, "a number is not doubled");
}

static const struct arg_spec options[] = {
    {OPTION(struct twice_options, n), .value = "N", .type = ARG_INT, .lo = 1, .hi = MOST,
     .initial = "100", .help = "how many numbers"},
    {0},
};

static const struct lab lab = {.module = "twice",
                               .takes = TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS};

const struct command lab_twice = {
    LAB_COMMAND(struct twice_options),
    .name = "twice",
    .summary = "each thread doubles one number",
    .options = options,
};
