/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules, written apart from the kernels so that each checks the other; and running one.
 */
#include "labs/sumtree/work.h"

#include "labkit/lab.h"
#include "base/rounding.h"

#include <string.h>

enum { MOST = ADDING_MOST, NOBODY = ADDING_NOBODY, ROWS = ADDING_STEPS + 1 };

/* ---- the rules -------------------------------------------------------------------------- */

bool adding_takes(enum adding_way way, int n)
{
    return way == ADD_LINEAR || way == ADD_TREE || (n & (n - 1)) == 0;
}

int adding_steps(int n)
{
    int steps = 0;
    for (; n > 1; n = (n + 1) / 2)
        steps++;
    return steps;
}

int adding_in_a_row(enum adding_way way, int n)
{
    return way == ADD_LINEAR ? n : adding_steps(n) + 1;
}

int adding_in_all(enum adding_way way, const struct adding *a, int n)
{
    int all = way == ADD_LINEAR ? n : 1;
    for (int step = 1; step <= a->steps; step++)
        for (int i = 0; i < n; i++)
            all += a->source[step][i] != NOBODY;
    return all;
}

static float value_of(const struct adding_task *t, int thread)
{
    return thread >= t->first ? t->value[thread] : 0;
}

/* Whom thread i reads when `left` values are to become half as many. */
static int source_of(enum adding_way way, int n, int i, int left)
{
    int half = (left + 1) / 2;
    switch (way) {
    case ADD_TREE: return i + half < left ? i + half : NOBODY;
    case ADD_SHUFFLE: return i + half < n ? i + half : i;
    case ADD_DISSEMINATION: return (i + half) % n;
    case ADD_BUTTERFLY: return i ^ half;
    default: return NOBODY;
    }
}

static void one_by_one(const struct adding_task *t, struct adding *a)
{
    for (int k = 0; k < t->n; k++) {
        a->before[k] = a->total;
        a->total += value_of(t, t->order[k]);
    }
}

static void in_steps(enum adding_way way, const struct adding_task *t, struct adding *a)
{
    a->steps = adding_steps(t->n);
    for (int i = 0; i < t->n; i++) {
        a->after[0][i] = value_of(t, i);
        a->source[0][i] = NOBODY;
    }
    for (int step = 1, left = t->n; step <= a->steps; step++, left = (left + 1) / 2)
        for (int i = 0; i < t->n; i++) {
            int from = source_of(way, t->n, i, left);
            float other = from == NOBODY ? 0 : a->after[step - 1][from];
            a->source[step][i] = from;
            a->after[step][i] = a->after[step - 1][i] + other;
        }
    a->total += a->after[a->steps][0];
}

static void adding_rule(enum adding_way way, const struct adding_task *t, struct adding *a)
{
    *a = (struct adding){.total = t->start};
    if (way == ADD_LINEAR)
        one_by_one(t, a);
    else
        in_steps(way, t, a);
}

/* ---- one run ---------------------------------------------------------------------------- */

static bool same(const struct adding *a, const struct adding *b, int n)
{
    bool same = a->total == b->total;
    for (int i = 0; i < n; i++)
        same = same && a->before[i] == b->before[i];
    for (int step = 0; step <= b->steps; step++)
        for (int i = 0; i < n && b->steps; i++)
            same = same && a->after[step][i] == b->after[step][i] &&
                   a->source[step][i] == b->source[step][i];
    return same;
}

static void judge(enum adding_way way, const struct adding_task *t, const struct lab_variant *v,
                  const struct adding *got, struct attempt *out)
{
    struct adding rule;
    double magnitude = magnitude_of((double)t->start);
    out->expected = (double)t->start;
    for (int i = 0; i < t->n; i++) {
        out->expected += (double)value_of(t, i);
        magnitude += magnitude_of((double)value_of(t, i));
    }
    adding_rule(way, t, &rule);
    out->value = (double)got->total;
    out->error = out->value - out->expected;
    attempt_sum(out, v, out->error, rounding_bound(adding_in_a_row(way, t->n), magnitude),
                magnitude);
    out->right = out->right && same(got, &rule, t->n);
}

static int run_linear(const struct lab_launch *l, const struct adding_task *t,
                      const struct trial *how, uint64_t value, uint64_t total, struct adding *a,
                      struct attempt *got)
{
    int turn[MOST] = {0};
    uint64_t turn_at, before;
    const size_t bytes = sizeof(float) * (size_t)t->n;
    for (int k = 0; k < t->n; k++)
        turn[t->order[k]] = k;
    if (lab_array(how->session, sizeof(int) * (size_t)t->n, "turn", turn, &turn_at, how->report) ||
        lab_array(how->session, bytes, "before", NULL, &before, how->report) ||
        trial_launch(how, l, got, PARAMS(value, t->first, turn_at, total, before)))
        return -1;
    return session_fetch(how->session, a->before, before, bytes, how->report);
}

static int run_steps(const struct lab_launch *l, const struct adding_task *t,
                     const struct trial *how, uint64_t value, uint64_t total, struct adding *a,
                     struct attempt *got)
{
    uint64_t after, source;
    a->steps = adding_steps(t->n);
    if (lab_array(how->session, sizeof a->after, "after", NULL, &after, how->report) ||
        lab_array(how->session, sizeof a->source, "source", NULL, &source, how->report) ||
        trial_launch(how, l, got, PARAMS(value, t->first, total, after, source)) ||
        session_fetch(how->session, a->after, after, sizeof a->after, how->report))
        return -1;
    return session_fetch(how->session, a->source, source, sizeof a->source, how->report);
}

int adding_run(enum adding_way way, const struct adding_task *t, const struct trial *how,
               struct adding *a, struct attempt *got)
{
    uint64_t value, total;
    const struct lab_launch l = {.module = "sumtree", .kernel = how->variant->kernel,
                                 .grid = {1, 1, 1}, .block = {(unsigned)t->n, 1, 1}};
    *a = (struct adding){0};
    got->has_predicted = !how->variant->mended_by;
    got->predicted = way == ADD_LINEAR ? (uint64_t)t->n : 1;
    if (lab_array(how->session, sizeof(float) * (size_t)t->n, "value", t->value, &value,
                  how->report) ||
        lab_array(how->session, sizeof t->start, "total", &t->start, &total, how->report) ||
        (way == ADD_LINEAR ? run_linear : run_steps)(&l, t, how, value, total, a, got) ||
        session_fetch(how->session, &a->total, total, sizeof a->total, how->report))
        return -1;
    judge(way, t, how->variant, a, got);
    return 0;
}
