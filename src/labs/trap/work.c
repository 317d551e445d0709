/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the trapezoidal kernels: how many blocks of how many threads, what the host does
 * before and after, whether the area is right.
 */
#include "labs/trap/work.h"

enum { WARP = 32, USUAL_THREADS = 256, ODD_THREADS = 40, MOST_THREADS = 1024 };

/* ---- shape ------------------------------------------------------------------------------ */

static unsigned adds(const struct lab_variant *v)
{
    return (unsigned)v->tag & ADDS_MASK;
}

static int threads_fit(const struct lab_variant *v, unsigned threads, struct report *r)
{
    if ((v->tag & FULL_WARPS) && threads % WARP)
        return report_fail(r,
                           "--threads %u: %s adds up whole warps and needs a multiple of 32, for "
                           "example %u; block-shuffle takes any number",
                           threads, v->name, threads < WARP ? WARP : threads / WARP * WARP);
    if ((v->tag & ODD_WARP) && threads % WARP == 0)
        return report_fail(r,
                           "--threads %u: %s needs a last warp that isn't full, so take no "
                           "multiple of 32, for example %d",
                           threads, v->name, ODD_THREADS);
    return 0;
}

int trap_choose(const struct lab_variant *v, int n, int blocks, int threads,
                const struct device_props *p, struct launch_shape *shape, struct report *r)
{
    unsigned usual = v->tag & ODD_WARP     ? ODD_THREADS
                     : v->tag & BIG_BLOCKS ? MOST_THREADS
                                           : USUAL_THREADS;
    bool strides = adds(v) == ADDS_STRIDE;
    shape->threads = threads ? (unsigned)threads : usual;
    shape->blocks = blocks ? (unsigned)blocks
                           : shape_blocks((uint64_t)n, shape->threads, strides, p);
    return shape_fits(*shape, n, strides, p, r) || threads_fit(v, shape->threads, r) ? -1 : 0;
}

/* ---- what to expect --------------------------------------------------------------------- */

uint64_t trap_atomics(const struct lab_variant *v, int n, struct launch_shape s)
{
    switch (adds(v)) {
    case ADDS_THREADS: return (uint64_t)n - 1;
    case ADDS_WARPS: return (uint64_t)s.blocks * (uint64_t)divide_up(s.threads, WARP);
    default: return s.blocks;
    }
}

double trap_chain(const struct lab_variant *v, int n, struct launch_shape s)
{
    enum { TREE = 5 }; /* halvings of a warp */
    if (!v->kernel)
        return (double)n;
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

static void judge(const struct trapezoid *rule, const struct lab_variant *v,
                  struct launch_shape shape, struct attempt *got)
{
    double off = got->value - rule->in_double;
    got->expected = rule->exact;
    got->error = got->value - rule->exact;
    attempt_sum(got, v, off, trapezoid_bound(rule, trap_chain(v, rule->n, shape)), rule->magnitude);
}

int trap_run(const char *module, const struct trapezoid *t, struct launch_shape shape,
             const struct trial *how, struct attempt *got)
{
    const struct lab_variant *v = how->variant;
    float sum = v->tag & NO_START ? 0.0f : t->start;
    uint64_t trap_p;
    const struct lab_launch l = {.module = module, .kernel = v->kernel,
                                 .grid = {shape.blocks, 1, 1}, .block = {shape.threads, 1, 1}};
    got->value = t->in_order;
    if (v->kernel) {
        got->has_predicted = v->mended_by == NULL;
        got->predicted = trap_atomics(v, t->n, shape);
        if (lab_array(how->session, sizeof sum, "trap_p", &sum, &trap_p, how->report) ||
            trial_launch(how, &l, got,
                         PARAMS(t->a, t->b, (v->tag & NO_H ? 0.0f : t->h), t->n, trap_p)) ||
            session_fetch(how->session, &sum, trap_p, sizeof sum, how->report))
            return -1;
        got->value = v->tag & NO_SCALE ? sum : t->h * sum;
    }
    judge(t, v, shape, got);
    return 0;
}
