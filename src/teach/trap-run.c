/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the trapezoidal kernels: how many blocks of how many threads, what the host does
 * before and after, whether the area is right.
 */
#include "teach/trap-run.h"

#include "teach/lab.h"
#include <stdio.h>

enum { WARP = 32, USUAL_THREADS = 256, ODD_THREADS = 40, MOST_THREADS = 1024 };
#define INDEX_LIMIT ((uint64_t)1 << 31) /* my_i is an int */

/* ---- shape ------------------------------------------------------------------------------ */

static unsigned adds(const struct lab_variant *v)
{
    return (unsigned)v->tag & ADDS_MASK;
}

static uint64_t divide_up(uint64_t n, uint64_t by)
{
    return (n + by - 1) / by;
}

static int threads_fit(const struct lab_variant *v, unsigned threads, int limit,
                       struct report *r)
{
    if (limit && threads > (unsigned)limit)
        return report_fail(r, "--threads %u: a block has at most %d threads here", threads, limit);
    if ((v->tag & FULL_WARPS) && threads % WARP)
        return report_fail(r,
                           "--threads %u: %s adds up whole warps, so it must be a multiple of "
                           "32, for example %u; block-shuffle takes any number",
                           threads, v->name, threads < WARP ? WARP : threads / WARP * WARP);
    if ((v->tag & ODD_WARP) && threads % WARP == 0)
        return report_fail(r,
                           "--threads %u: %s is about a last warp that isn't full, so it must "
                           "not be a multiple of 32; for example %d",
                           threads, v->name, ODD_THREADS);
    return 0;
}

static int blocks_fit(const struct lab_variant *v, int n, struct trap_shape shape,
                      struct report *r)
{
    char total[NUM_TEXT], count[NUM_TEXT], least[NUM_TEXT];
    uint64_t all = (uint64_t)shape.blocks * shape.threads;
    num_group((int64_t)all, total);
    num_group(n, count);
    bool strides = adds(v) == ADDS_STRIDE;
    if (all + (strides ? (uint64_t)n : 0) > INDEX_LIMIT)
        return report_fail(r,
                           "%u blocks x %u threads are %s; an int counts them up to "
                           "2,147,483,647, so take fewer blocks%s",
                           shape.blocks, shape.threads, total, strides ? " or a smaller n" : "");
    if (strides || all >= (uint64_t)n)
        return 0;
    num_group((int64_t)divide_up((uint64_t)n, shape.threads), least);
    return report_fail(r,
                       "%u blocks x %u threads are %s, and n = %s needs a thread each: at least "
                       "%s blocks; or --variant gridstride, which takes any number",
                       shape.blocks, shape.threads, total, count, least);
}

int trap_choose(const struct lab_variant *v, int n, int64_t blocks, int64_t threads,
                const struct device_props *p, struct trap_shape *shape, struct report *r)
{
    unsigned usual = v->tag & ODD_WARP     ? ODD_THREADS
                     : v->tag & BIG_BLOCKS ? MOST_THREADS
                                           : USUAL_THREADS;
    shape->threads = threads ? (unsigned)threads : usual;
    uint64_t enough = divide_up((uint64_t)n, shape->threads);
    uint64_t resident = p->multiprocessors ? 2 * (uint64_t)p->multiprocessors : enough;
    bool strides = adds(v) == ADDS_STRIDE;
    uint64_t chosen = strides && resident < enough ? resident : enough;
    shape->blocks = blocks ? (unsigned)blocks : (unsigned)chosen;
    return threads_fit(v, shape->threads, p->max_threads_per_block, r)
               ? -1
               : blocks_fit(v, n, *shape, r);
}

/* ---- what to expect --------------------------------------------------------------------- */

uint64_t trap_atomics(const struct lab_variant *v, int n, struct trap_shape s)
{
    switch (adds(v)) {
    case ADDS_THREADS: return (uint64_t)n - 1;
    case ADDS_WARPS: return (uint64_t)s.blocks * (uint64_t)divide_up(s.threads, WARP);
    default: return s.blocks;
    }
}

double trap_chain(const struct lab_variant *v, int n, struct trap_shape s)
{
    enum { TREE = 5 }; /* halvings of a warp */
    double total = (double)trap_atomics(v, n, s);
    switch (adds(v)) {
    case ADDS_THREADS: return total;
    case ADDS_WARPS: return total + TREE;
    case ADDS_BLOCKS: return total + 2 * TREE;
    default:
        return total + 2 * TREE +
               (double)divide_up((uint64_t)n, (uint64_t)s.blocks * s.threads);
    }
}

/* ---- one run ---------------------------------------------------------------------------- */

static void judge(const struct trap_launch *l, struct attempt *got)
{
    double chain = l->variant->kernel ? trap_chain(l->variant, l->rule->n, l->shape)
                                      : (double)l->rule->n;
    double off = (double)got->value - l->rule->in_double;
    double bound = trapezoid_bound(l->rule, chain);
    got->error = (double)got->value - l->rule->exact;
    got->ok = !got->fault[0] && off <= bound && -off <= bound;
}

/* Additions at one address queue; all else is spread over the multiprocessors. */
static uint64_t cost_of(const struct counters *c, int multiprocessors)
{
    uint64_t spread = c->warp_instructions + c->shared_load_wavefronts + c->shared_store_wavefronts;
    return c->global_atomics + spread / (multiprocessors > 0 ? (uint64_t)multiprocessors : 1);
}

static void note_counts(const struct trap_launch *l, const struct launch_result *result,
                        struct attempt *got)
{
    for (unsigned i = 0; i < result->fault_count && !got->fault[0]; i++)
        if (!result->faults[i].benign)
            snprintf(got->fault, sizeof got->fault, "%s", result->faults[i].kind);
    got->has_counters = result->has_counters;
    got->counters = result->counters;
    got->has_predicted = l->variant->mended_by == NULL;
    got->predicted = trap_atomics(l->variant, l->rule->n, l->shape);
    got->median_s = result->runs ? result->measured_s : 0;
    got->min_s = result->min_s;
    got->mean_s = result->mean_s;
    got->cost = result->has_counters
                    ? cost_of(&result->counters, l->session->device->props.multiprocessors)
                    : got->predicted;
}

static int launch(const struct trap_launch *l, struct attempt *got, struct launch_result *result,
                  struct report *r)
{
    const struct trapezoid *t = l->rule;
    int tag = l->variant->tag;
    float sum = tag & NO_START ? 0.0f : t->start;
    uint64_t trap_p;
    const struct lab_launch how = {
        .module = l->module, .kernel = l->variant->kernel,
        .grid = {l->shape.blocks, 1, 1}, .block = {l->shape.threads, 1, 1},
        .schedule = l->schedule->name, .seed = l->schedule->seed,
        .trace = l->trace, .quiet = l->quiet, .counts = l->counts,
    };
    if (lab_array(l->session, sizeof sum, "trap_p", &sum, &trap_p, r) ||
        lab_launch(l->session, &how, result, r, "fffip", (double)t->a, (double)t->b,
                   (double)(tag & NO_H ? 0.0f : t->h), t->n, trap_p))
        return -1;
    note_counts(l, result, got);
    if (lab_fetch(l->session, &sum, trap_p, sizeof sum, r)) {
        launch_result_free(result);
        return -1;
    }
    got->value = tag & NO_SCALE ? sum : t->h * sum;
    return 0;
}

int trap_run(const struct trap_launch *l, struct attempt *got, struct launch_result *result,
             struct report *r)
{
    struct launch_result own = {0};
    struct launch_result *into = result ? result : &own;
    *got = (struct attempt){0};
    *into = (struct launch_result){0};
    if (!l->variant->kernel) {
        got->value = (float)l->rule->in_order;
        got->cost = UINT64_MAX;
    } else if (launch(l, got, into, r))
        return -1;
    judge(l, got);
    if (!result)
        launch_result_free(&own);
    return 0;
}
