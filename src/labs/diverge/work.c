/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule in plain C, and runs. All values are whole numbers or halves of halves that a float
 * holds exactly, so that right means every bit.
 */
#include "labs/diverge/work.h"

#include "labkit/lab.h"
#include "labkit/loop.h"

#include <stdlib.h>
#include <string.h>

/* ---- the data --------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y); /* those that aren't negative come first */
}

/* Which way does thread i go? For a loop: how often round. */
static unsigned side_of(const struct diverge_plan *p, const struct diverge_data *d, unsigned i)
{
    unsigned own = i % p->threads;
    switch (p->kind) {
    case BY_NUMBER: return own / p->group % 2;
    case BY_SELECT: return 0;
    case IN_LOOP: return (unsigned)d->count[i];
    case IN_SWITCH: return own % p->ways;
    case AT_MEETING: return own % 2;
    default: return d->x[i] < 0;
    }
}

static float after_rounds(float v, unsigned rounds)
{
    for (unsigned k = 0; k < rounds; k++)
        v = 0.5f * v + 1;
    return v;
}

static float after_switch(float v, unsigned way)
{
    switch (way) {
    case 0: return v + 1;
    case 1: return v - 2;
    case 2: return v * 3;
    case 3: return 4 - v;
    case 4: return v * 0.5f;
    case 5: return -v;
    case 6: return v + 7;
    default: return 8;
    }
}

/* What the thread next to it stored: thread own ^ 1 of the block, if there is one. */
static float from_neighbour(const struct diverge_plan *p, const struct diverge_data *d, unsigned i)
{
    unsigned own = i % p->threads, first = i - own, left = p->n - first;
    unsigned threads = left < p->threads ? left : p->threads, other = own ^ 1;
    other = other < threads ? other : own;
    float v = d->x[first + other];
    return other % 2 == 0 ? v + 1 : v - 2;
}

static float expected(const struct diverge_plan *p, const struct diverge_data *d, unsigned i)
{
    float v = d->x[i];
    switch (p->kind) {
    case BY_NUMBER: return side_of(p, d, i) ? v - 2 : v + 1;
    case IN_LOOP: return after_rounds(v, side_of(p, d, i));
    case IN_SWITCH: return after_switch(v, side_of(p, d, i));
    case BY_RETURN: return v < 0 ? v : after_rounds(v, p->rounds);
    case AT_MEETING: return from_neighbour(p, d, i);
    default: return v < 0 ? v - 2 : v + 1;
    }
}

struct diverge_work { const struct diverge_plan *p; struct diverge_data *d; };

static void draw(void *work, uint64_t from, uint64_t to)
{
    const struct diverge_work *w = work;
    for (unsigned i = (unsigned)from; i < to; i++) {
        const uint32_t drawn = lab_drawn(w->p->seed, i);
        const float v = (float)(drawn / 128 % 64);
        w->d->x[i] = drawn % 100 < w->p->negative ? -v - 1 : v;
        w->d->count[i] = 1 + (int)(drawn / 8192 % w->p->rounds);
    }
}

static void expect(void *work, uint64_t from, uint64_t to)
{
    const struct diverge_work *w = work;
    for (unsigned i = (unsigned)from; i < to; i++)
        w->d->want[i] = expected(w->p, w->d, i);
}

int diverge_prepare(const struct diverge_plan *p, struct diverge_data *d, const struct session *s,
                    struct report *r)
{
    struct diverge_work work = {p, d};
    size_t one = p->n * sizeof *d->x;
    d->bytes = 3 * one + p->n * sizeof *d->count;
    d->x = mem_alloc(&allocator_libc, d->bytes);
    if (!d->x)
        return report_fail_limit(r, "out of memory; a smaller n needs less");
    d->want = d->x + p->n;
    d->got = d->want + p->n;
    d->count = (int *)(d->got + p->n);
    if (lab_loop(s, p->n, draw, &work, r))
        return -1;
    if (p->sorted)
        qsort(d->x, p->n, sizeof *d->x, by_value);
    return lab_loop(s, p->n, expect, &work, r);
}

void diverge_free(struct diverge_data *d)
{
    mem_free(&allocator_libc, d->x, d->bytes);
    *d = (struct diverge_data){0};
}

/* ---- the rule --------------------------------------------------------------------------- */

/* Different sides among some threads; *most: the highest of them. */
static unsigned count_sides(const struct diverge_plan *p, const struct diverge_data *d,
                            unsigned first, unsigned lanes, unsigned *most)
{
    unsigned count = 0, sides[DIVERGE_LANES];
    *most = 0;
    for (unsigned lane = 0; lane < lanes; lane++) {
        unsigned side = side_of(p, d, first + lane), k = 0;
        while (k < count && sides[k] != side)
            k++;
        if (k == count)
            sides[count++] = side;
        *most = side > *most ? side : *most;
    }
    return count;
}

/* What the lanes of one warp need of the steps that it takes in its sides or rounds. */
static void add_warp(const struct diverge_plan *p, const struct diverge_data *d, unsigned first,
                     unsigned lanes, struct diverge_rule *rule)
{
    unsigned most, sides = count_sides(p, d, first, lanes, &most), steps = sides, needed = lanes;
    if (p->kind == IN_LOOP) {
        steps = most;
        needed = 0;
        for (unsigned lane = 0; lane < lanes; lane++)
            needed += side_of(p, d, first + lane);
    }
    if (p->kind == BY_RETURN) {
        needed = 0;
        for (unsigned lane = 0; lane < lanes; lane++)
            needed += !side_of(p, d, first + lane);
        steps = needed > 0;
    }
    rule->mixed += sides > 1;
    rule->sides = sides > rule->sides ? sides : rule->sides;
    rule->needed += needed;
    rule->taken += (uint64_t)steps * DIVERGE_LANES;
}

struct diverge_rule diverge_rule(const struct diverge_plan *p, const struct diverge_data *d)
{
    struct diverge_rule rule = {0};
    for (unsigned block = 0; block < p->blocks; block++)
        for (unsigned own = 0; own < p->threads; own += DIVERGE_LANES) {
            unsigned first = block * p->threads + own, room = p->threads - own;
            unsigned threads = room < DIVERGE_LANES ? room : DIVERGE_LANES;
            unsigned left = first < p->n ? p->n - first : 0;
            unsigned lanes = left < threads ? left : threads;
            rule.warps++;
            rule.partial += lanes && lanes < threads;
            if (lanes)
                add_warp(p, d, first, lanes, &rule);
        }
    /* The test of the index is one branch, the sides are the other. A loop or a switch may be
     * compiled to any number of branches. */
    rule.has_divergent = p->kind != IN_LOOP && p->kind != IN_SWITCH;
    rule.divergent = rule.mixed + rule.partial;
    return rule;
}

/* ---- the device ------------------------------------------------------------------------- */

static int launch(const struct trial *how, const struct diverge_plan *p,
                  const struct diverge_data *d, unsigned warp, uint64_t x, struct attempt *got)
{
    const struct lab_launch l = {.module = "diverge",
                                 .kernel = how->variant->kernel,
                                 .grid = {p->blocks, 1, 1},
                                 .block = {p->threads, 1, 1},
                                 .warp = warp,
                                 .together = true,
                                 .counts = true};
    int n = (int)p->n;
    uint64_t count;
    switch (p->kind) {
    case BY_NUMBER: return trial_launch(how, &l, got, PARAMS(x, n, (int)p->group));
    case IN_SWITCH: return trial_launch(how, &l, got, PARAMS(x, n, (int)p->ways));
    case BY_RETURN: return trial_launch(how, &l, got, PARAMS(x, n, (int)p->rounds));
    case IN_LOOP:
        if (lab_array(how->session, p->n * sizeof *d->count, "count", d->count, &count,
                      how->report))
            return -1;
        return trial_launch(how, &l, got, PARAMS(count, x, n));
    default: return trial_launch(how, &l, got, PARAMS(x, n));
    }
}

/* Right are all results, and as many divergent branches as the rule says, where it says so and the
 * lanes of a warp run together. */
static void judge(const struct trial *how, const struct diverge_plan *p,
                  const struct diverge_data *d, const struct diverge_rule *rule,
                  struct attempt *got)
{
    const char *schedule = how->schedule->name; /* of several that are tried; else NULL */
    bool together = !schedule || strcmp(schedule, "independent") != 0;
    size_t right = 0;
    for (unsigned i = 0; i < p->n; i++)
        right += memcmp(&d->got[i], &d->want[i], sizeof d->got[i]) == 0;
    got->value = (double)right;
    got->expected = (double)p->n;
    got->error = got->expected - got->value;
    got->right = right == p->n;
    if (got->has_counters && rule->has_divergent && together && !how->variant->mended_by)
        got->right = got->right && got->counters.divergent_branches == rule->divergent;
    got->cost = got->counters.warp_instructions;
}

int diverge_run(const struct trial *how, const struct diverge_plan *p,
                const struct diverge_data *d, const struct diverge_rule *rule, unsigned warp,
                struct attempt *got)
{
    uint64_t x;
    if (lab_array(how->session, p->n * sizeof *d->x, "x", d->x, &x, how->report) ||
        launch(how, p, d, warp, x, got) ||
        session_fetch(how->session, d->got, x, p->n * sizeof *d->got, how->report))
        return -1;
    judge(how, p, d, rule, got);
    return 0;
}
