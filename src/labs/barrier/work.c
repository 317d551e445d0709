/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the barrier kernels. Each hands numbers from thread to thread; what a thread should take
 * is known, so a barrier that let somebody go too early shows in a number.
 */
#include "labs/barrier/work.h"

#include "labkit/lab.h"
#include "labkit/shape.h"
#include <stdlib.h>
#include <string.h>

enum { WARP = 32, BARRIERS = 15 };
#define MOST_NUMBERS ((int64_t)1 << 24)

static unsigned waits(const struct lab_variant *v)
{
    return (unsigned)v->tag & WAIT_MASK;
}

/* ---- shape ------------------------------------------------------------------------------ */

/* Groups of threads that wait for each other, or threads that have the work. */
static int group_fits(const struct lab_variant *v, struct barrier_shape *s, struct report *r)
{
    unsigned g = s->group;
    if (waits(v) == WAIT_WHO && s->who > s->threads)
        return report_fail(r, "--who %u: the block has %u threads, so at most %u can take the "
                              "branch",
                           s->who, s->threads, s->threads);
    if (v->tag & MASK_NAMES_ALL)
        return g < WARP ? 0 : report_fail(r, "--group %u: %s uses a part of a warp; take 1 to 31, "
                                             "for example 16", g, v->name);
    if (waits(v) == WAIT_TILE && (g > WARP || g & (g - 1) || s->threads % g))
        return report_fail(r, "--group %u: lanes of a warp wait in groups of 1, 2, 4, 8, 16 or 32, "
                              "and the block's %u threads are whole groups; for example 16", g,
                           s->threads);
    if (waits(v) != WAIT_WARPS)
        return 0;
    if (g % WARP || s->threads % g)
        return report_fail(r, "--group %u: a numbered barrier is for whole warps, and the block's "
                              "%u threads are whole groups; take a multiple of 32 that divides "
                              "%u, for example %u", g, s->threads, s->threads,
                           s->threads % 64 ? WARP : 64);
    if (s->threads / g > BARRIERS)
        return report_fail(r, "--group %u: %u groups, and apart from barrier 0 a block has %d; "
                              "take larger groups", g, s->threads / g, BARRIERS);
    return 0;
}

static int blocks_fit(const struct lab_variant *v, const struct barrier_shape *s, struct report *r)
{
    bool must = (v->tag & COUNTS_ITSELF || waits(v) == WAIT_GRID) &&
                !(v->tag & (TWO_LAUNCHES | TOO_MANY | PLAINLY));
    if (must && s->blocks > s->fits)
        return report_fail(r, "--blocks %u: blocks that wait for each other must all run at once, "
                              "and %u of %u threads do here; --variant %s shows what more do",
                           s->blocks, s->fits, s->threads,
                           v->tag & COUNTS_ITSELF ? "toomany" : "toobig");
    if (v->tag & TOO_MANY && s->blocks <= s->fits)
        return report_fail(r, "--blocks %u: %u blocks of %u threads run at the same time here, "
                              "and %s needs more; for example %u",
        s->blocks, s->fits, s->threads, v->name,
                           s->fits + 1);
    return 0;
}

/* A cluster's blocks run at once whatever the grid is, and there are no parts of one. */
static int clusters_fit(const struct barrier_shape *s, struct report *r)
{
    if (s->blocks % CLUSTER_BLOCKS == 0)
        return 0;
    return report_fail(r, "--blocks %u: the kernel's clusters have %d blocks, so the grid must be "
                          "a multiple of %d; for example %u", s->blocks, CLUSTER_BLOCKS,
                       CLUSTER_BLOCKS, (s->blocks / CLUSTER_BLOCKS + 1) * CLUSTER_BLOCKS);
}

static unsigned usual_blocks(const struct lab_variant *v, const struct barrier_shape *s)
{
    if (waits(v) == WAIT_CLUSTER)
        return 2 * CLUSTER_BLOCKS;
    if (waits(v) != WAIT_GRID)
        return 1;
    if (v->tag & PLAINLY)
        return 2;
    return v->tag & (TOO_MANY | TWO_LAUNCHES) ? s->fits + 1 : s->fits;
}

int barrier_choose(const struct lab_variant *v, struct barrier_wish w, const struct device_props *p,
                   struct barrier_shape *s, struct report *r)
{
    static const unsigned usual_threads[] = {64, 64, 64, 128, 1024, 64};
    static const unsigned usual_group[] = {0, 0, 16, 64, 0, 0};
    bool of_grid = waits(v) == WAIT_GRID, of_clusters = waits(v) == WAIT_CLUSTER;
    unsigned usual = usual_threads[waits(v)];
    if (v->tag & PLAINLY)
        usual = 64;
    if (p->max_threads_per_block > 0 && usual > (unsigned)p->max_threads_per_block)
        usual = (unsigned)p->max_threads_per_block;
    *s = (struct barrier_shape){.threads = w.threads ? (unsigned)w.threads : usual};
    if (threads_in_block(s->threads, p, r))
        return -1;
    s->fits = blocks_at_once(s->threads, p, &s->per_sm);
    s->blocks = w.blocks ? (unsigned)w.blocks : usual_blocks(v, s);
    s->who = w.who ? (unsigned)w.who : s->threads - s->threads * 3 / 8;
    s->group = w.group ? (unsigned)w.group : usual_group[waits(v)];
    s->numbers = (int64_t)s->threads * (v->tag & STRIDES ? s->fits + 1 : s->blocks);
    if (s->numbers > MOST_NUMBERS)
        return report_fail(r, "%u x %u threads: at most 16,777,216 threads hand numbers on "
                              "here; take fewer blocks", s->blocks, s->threads);
    return group_fits(v, s, r) || (of_grid && blocks_fit(v, s, r)) ||
                   (of_clusters && clusters_fit(s, r))
               ? -1
               : 0;
}

/* ---- what should come out --------------------------------------------------------------- */

static int wanted(const struct lab_variant *v, const struct barrier_shape *s, int64_t i)
{
    unsigned me = (unsigned)(i % s->threads);
    unsigned first = s->group ? me / s->group * s->group : 0;
    switch (waits(v)) {
    case WAIT_WHO:
        if (v->tag & BOTH_SIDES)
            break;
        if (v->tag & ALL_TAKE)
            return (int)(s->who - me % s->who);
        return me < s->who ? (int)(s->who - me) : 0;
    case WAIT_TILE:
    case WAIT_WARPS:
        if (!(v->tag & MASK_NAMES_ALL))
            return (int)(first + s->group - (me - first));
        break;
    case WAIT_GRID: return (int)(s->numbers - i);
    case WAIT_CLUSTER: {
        int64_t together = (int64_t)CLUSTER_BLOCKS * s->threads;
        return (int)(together - i % together);
    }
    default: break;
    }
    return (int)(s->threads - me);
}

static void judge(const struct lab_variant *v, const struct barrier_shape *s, const int *found,
                  struct attempt *got, struct barrier_taken *taken)
{
    int64_t sum = 0, expected = 0, wrong = 0;
    *taken = (struct barrier_taken){0, 0};
    for (int64_t i = 0; i < s->numbers; i++) {
        int should = wanted(v, s, i);
        sum += found[i];
        expected += should;
        wrong += found[i] != should;
        taken->numbers += should != 0;
        taken->right += should != 0 && found[i] == should;
    }
    got->value = (double)sum;
    got->expected = (double)expected;
    got->error = got->value - got->expected;
    got->right = wrong == 0;
}

/* Waits of a warp: at the counter, and for grid.sync(), a block waits before and after; and a
 * cluster before its numbers are taken and before its blocks end. */
static uint64_t waits_expected(const struct lab_variant *v, const struct barrier_shape *s)
{
    uint64_t warps = (uint64_t)s->blocks * ((s->threads + WARP - 1) / WARP);
    if (v->tag & TWO_LAUNCHES)
        return 0;
    return waits(v) == WAIT_GRID || waits(v) == WAIT_CLUSTER ? 2 * warps : warps;
}

/* ---- one run ---------------------------------------------------------------------------- */

struct barrier_arrays { uint64_t left, count, found; };

static int get_arrays(const struct trial *how, const struct barrier_shape *s, const int *zeros,
                      struct barrier_arrays *a)
{
    size_t bytes = (size_t)s->numbers * sizeof(int);
    struct session *session = how->session;
    bool of_grid = waits(how->variant) == WAIT_GRID;
    if (lab_array(session, bytes, "found", zeros, &a->found, how->report))
        return -1;
    if (!of_grid)
        return 0;
    return lab_array(session, bytes, "left", NULL, &a->left, how->report) ||
                   lab_array(session, sizeof(int), "count", zeros, &a->count, how->report)
               ? -1
               : 0;
}

static int launch(const struct trial *how, const struct barrier_shape *s,
                  const struct barrier_arrays *a, struct attempt *got)
{
    const struct lab_variant *v = how->variant;
    const char *module = waits(v) == WAIT_CLUSTER ? "barrier-cluster" : "barrier";
    struct lab_launch l = {.module = module, .kernel = v->kernel, .grid = {s->blocks, 1, 1},
                           .block = {s->threads, 1, 1}, .plain = v->tag & PLAINLY,
                           .meetings = how->result != NULL && waits(v) < WAIT_GRID,
                           .step_limit = v->tag & NEVER_ENDS ? BARRIER_STEPS : 0};
    if (v->tag & TWO_LAUNCHES) {
        struct lab_launch take = l;
        take.kernel = "barrier_take";
        return trial_launch(how, &l, got, PARAMS(a->left)) ||
                       trial_launch(how, &take, got, PARAMS(a->left, a->found))
                   ? -1
                   : 0;
    }
    if (v->tag & COUNTS_ITSELF)
        return trial_launch(how, &l, got, PARAMS(a->left, a->count, a->found));
    if (v->tag & STRIDES)
        return trial_launch(how, &l, got, PARAMS((int)s->numbers, a->left, a->found));
    if (waits(v) == WAIT_GRID)
        return trial_launch(how, &l, got, PARAMS(a->left, a->found));
    if (waits(v) == WAIT_BLOCK || waits(v) == WAIT_CLUSTER)
        return trial_launch(how, &l, got, PARAMS(a->found));
    return trial_launch(how, &l, got, PARAMS(waits(v) == WAIT_WHO ? s->who : s->group, a->found));
}

int barrier_run(const struct trial *how, const struct barrier_shape *s, struct attempt *got,
                struct barrier_taken *taken)
{
    struct barrier_arrays a = {0};
    size_t bytes = (size_t)s->numbers * sizeof(int);
    int *found = calloc(1, bytes);
    got->has_predicted = how->variant->mended_by == NULL;
    got->predicted = waits_expected(how->variant, s);
    int failed = found ? 0 : report_fail_limit(how->report, "out of memory; take fewer blocks");
    if (!failed)
        failed = get_arrays(how, s, found, &a) || launch(how, s, &a, got) ||
                 session_fetch(how->session, found, a.found, bytes, how->report);
    if (!failed)
        judge(how->variant, s, found, got, taken);
    free(found);
    return failed ? -1 : 0;
}
