/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data, shape, one run and its verdict.
 */
#include "labkit/reduce.h"

#include "base/rounding.h"
#include "dev/jobs.h"

enum { FOUR = 4, ODD_THREADS = 100, BIG_THREADS = 1024, FEW = 32, SEVERAL = 4,
       BESIDES = 1 << 20 /* bytes for sums */ };

/* ---- data ------------------------------------------------------------------------------- */

static int fits(struct session *s, const struct reduce_data *d, struct report *r)
{
    const struct device_props *p = &s->device->props;
    char wants[NUM_TEXT], has[NUM_TEXT];
    uint64_t bytes = (uint64_t)d->n * sizeof(float) * (uint64_t)d->arrays;
    if (!p->global_bytes || bytes + BESIDES <= p->global_bytes)
        return 0;
    return report_fail(r, "%d array%s of %d floats take %s bytes, and this device has %s; take a "
                          "smaller n", d->arrays, d->arrays == 1 ? "" : "s", d->n,
                       num_group((int64_t)bytes, wants),
                       num_group((int64_t)p->global_bytes, has));
}

int reduce_open(struct reduce_data *d, struct session *s, const struct reduce_options *o, int n,
                const char *const names[2], struct report *r)
{
    *d = (struct reduce_data){.n = n, .arrays = names[1] ? 2 : 1};
    const uint64_t seed = lab_seed(s, &o->lab), count = (uint64_t)n;
    if (fits(s, d, r) || floats_open(&d->x, names[0], o->fill[0], seed, count, r) ||
        (names[1] && floats_open(&d->y, names[1], o->fill[1], seed + 1, count, r)))
        return -1;
    return floats_sum(s, &d->x, names[1] ? &d->y : NULL, &d->sum, r);
}

void reduce_close(struct reduce_data *d)
{
    floats_close(&d->x);
    floats_close(&d->y);
}

static int send_floats(const struct floats *f, const char *name, struct session *s, uint64_t *at,
                       struct report *r)
{
    return lab_array(s, f->n * sizeof(float), name, NULL, at, r) || floats_send(s, f, *at, r) ? -1
                                                                                              : 0;
}

/* They go to the device once a command; to one that stands in for it, each time. */
static int send(struct reduce_data *d, bool aside, struct session *s, uint64_t at[2],
                struct report *r)
{
    at[0] = d->at_x;
    at[1] = d->at_y;
    if (d->there && !aside)
        return 0;
    if (send_floats(&d->x, d->arrays == 2 ? "a" : "data", s, &at[0], r) ||
        (d->arrays == 2 && send_floats(&d->y, "b", s, &at[1], r)))
        return -1;
    if (!aside) {
        d->at_x = at[0];
        d->at_y = at[1];
        d->there = true;
    }
    return 0;
}

/* ---- shape ------------------------------------------------------------------------------ */

static unsigned adds(const struct lab_variant *v)
{
    return (unsigned)v->tag & REDUCE_MASK;
}

static bool takes_any_grid(const struct lab_variant *v)
{
    return adds(v) >= FEW_BLOCKS;
}

/* Threads that have something to do: by fours, each of the last up to three needs one too. */
static uint64_t threads_wanted(const struct lab_variant *v, int n)
{
    uint64_t fours = divide_up((uint64_t)n, FOUR), rest = (uint64_t)n % FOUR;
    return !(v->tag & BY_FOURS) ? (uint64_t)n : fours > rest ? fours : rest;
}

static int threads_fit(const struct lab_variant *v, unsigned threads,
                       const struct device_props *p, struct report *r)
{
    if (threads_in_block(threads, p, r))
        return -1;
    if ((v->tag & ODD_BLOCK) && (threads & (threads - 1)) == 0)
        return report_fail(r, "--threads %u: %s needs a block size that is not a power of two, "
                              "for example %d", threads, v->name, ODD_THREADS);
    return 0;
}

static int blocks_fit(const struct lab_variant *v, int n, struct launch_shape shape,
                      struct report *r)
{
    char total[NUM_TEXT], wanted[NUM_TEXT], least[NUM_TEXT];
    uint64_t all = shape_threads(shape), want = threads_wanted(v, n);
    if (shape_counted(shape, n, takes_any_grid(v), r))
        return -1;
    if (takes_any_grid(v) || all >= want)
        return 0;
    return report_fail(r, "%u x %u threads are %s, and %s with n = %d needs %s: at least "
                          "%s blocks", shape.blocks, shape.threads,
                       num_group((int64_t)all, total), v->name, n, num_group((int64_t)want, wanted),
                       num_group((int64_t)divide_up(want, shape.threads), least));
}

/* So few that a thread has several elements, and at most what the device holds at once. */
static uint64_t few_blocks(uint64_t enough, unsigned threads, const struct device_props *p)
{
    uint64_t few = divide_up(enough, SEVERAL);
    uint64_t held = (uint64_t)(p->max_threads_per_sm / (int)threads) *
                    (uint64_t)p->multiprocessors;
    return held && held < few ? held : few;
}

int reduce_choose(const struct lab_variant *v, int n, int blocks, int threads, unsigned usual,
                  const struct device_props *p, struct launch_shape *shape,
                  struct report *r)
{
    shape->threads = threads                ? (unsigned)threads
                     : v->tag & ODD_BLOCK  ? ODD_THREADS
                     : v->tag & BIG_BLOCKS ? BIG_THREADS
                                           : usual;
    uint64_t enough = divide_up(threads_wanted(v, n), shape->threads), few = enough;
    if (adds(v) == FEW_BLOCKS)
        few = few_blocks(enough, shape->threads, p);
    else if (takes_any_grid(v))
        few = FEW;
    shape->blocks = blocks ? (unsigned)blocks : (unsigned)(few < enough ? few : enough);
    return threads_fit(v, shape->threads, p, r) ||
                   blocks_in_grid(shape->blocks, p, r) || blocks_fit(v, n, *shape, r)
               ? -1
               : 0;
}

/* ---- what to expect --------------------------------------------------------------------- */

static uint64_t reduce_atomics(const struct lab_variant *v, int n, struct launch_shape s)
{
    switch (adds(v)) {
    case EACH_THREAD: return (uint64_t)n;
    case EACH_BLOCK:
    case FEW_BLOCKS: return s.blocks;
    default: return 0;
    }
}

unsigned reduce_halvings(unsigned threads)
{
    unsigned steps = 0;
    for (unsigned left = threads; left > 1; left = (left + 1) / 2)
        steps++;
    return steps;
}

struct reduce_links reduce_links(const struct lab_variant *v, int n, struct launch_shape s)
{
    if (v->tag & (ON_HOST | BY_CUBLAS) || adds(v) == EACH_THREAD)
        return (struct reduce_links){.blocks = n}; /* none is longer, in any order */
    return (struct reduce_links){
        .thread = takes_any_grid(v) ? (int64_t)divide_up((uint64_t)n, shape_threads(s))
                  : v->tag & BY_FOURS ? FOUR
                                      : 0,
        .block = v->tag & ONE_THREAD ? s.threads : reduce_halvings(s.threads),
        .blocks = s.blocks};
}

double reduce_chain(const struct lab_variant *v, int n, struct launch_shape s)
{
    const struct reduce_links of = reduce_links(v, n, s);
    return (double)of.thread + (double)of.block + (double)of.blocks;
}

double reduce_bound(const struct lab_variant *v, const struct reduce_data *d, struct launch_shape s)
{
    return rounding_bound(reduce_chain(v, d->n, s) + d->arrays, d->sum.magnitude);
}

unsigned reduce_lost(unsigned threads)
{
    unsigned reached = 1;
    for (unsigned half = threads / 2; half > 0; half /= 2)
        reached *= 2;
    return threads - reached;
}

/* ---- one run ---------------------------------------------------------------------------- */

static void judge(const struct lab_variant *v, const struct reduce_data *d,
                  struct launch_shape shape, struct attempt *got)
{
    got->expected = d->sum.exact;
    got->error = got->value - d->sum.exact;
    attempt_sum(got, v, got->error, reduce_bound(v, d, shape), d->sum.magnitude);
}

/* A sum is a dot product with a single 1, read again and again by a step of 0. */
static int call_cublas(const struct reduce_data *d, const uint64_t at[2], uint64_t to,
                       const struct trial *how, struct attempt *got)
{
    const float one = 1;
    struct dot_job dot = {.x = at[0], .y = at[1], .to = to, .n = (uint64_t)d->n, .step_x = 1,
                             .step_y = d->arrays == 2};
    if (d->arrays == 1 && lab_array(how->session, sizeof one, "one", &one, &dot.y, how->report))
        return -1;
    return trial_dot(how, &dot, got);
}

static int launch(const struct lab_launch *l, const struct reduce_data *d, const uint64_t at[2],
                  uint64_t to, const struct trial *how, struct attempt *got)
{
    if (how->variant->tag & BY_CUBLAS)
        return call_cublas(d, at, to, how, got);
    return d->arrays == 2 ? trial_launch(how, l, got, PARAMS(at[0], at[1], d->n, to))
                          : trial_launch(how, l, got, PARAMS(at[0], d->n, to));
}

/* The host's own loop over the blocks' sums. */
static int add_partials(uint64_t partial, unsigned count, const struct trial *how, float *sum)
{
    size_t bytes = count * sizeof(float);
    float *sums = mem_alloc(&allocator_libc, bytes);
    int failed = sums ? session_fetch(how->session, sums, partial, bytes, how->report)
                      : report_fail_limit(how->report, "out of memory; fewer blocks need less");
    for (unsigned i = 0; i < count && !failed; i++)
        *sum += sums[i];
    mem_free(&allocator_libc, sums, sums ? bytes : 0);
    return failed ? -1 : 0;
}

/* Each block leaves its sum, and what adds them comes after. */
static int run_partials(struct lab_launch *l, const struct reduce_data *d, const uint64_t at[2],
                        uint64_t total, const struct trial *how, struct attempt *got, float *sum)
{
    uint64_t partial;
    unsigned count = l->grid[0];
    if (lab_array(how->session, count * sizeof(float), "partial", NULL, &partial, how->report) ||
        launch(l, d, at, partial, how, got))
        return -1;
    got->untimed = adds(how->variant) == SUMS_TO_HOST
                       ? "the copy of the blocks' sums, and the host's additions" : NULL;
    if (got->untimed)
        return add_partials(partial, count, how, sum);
    l->kernel = "dot_finish";
    l->grid[0] = 1;
    if (trial_launch(how, l, got, PARAMS(partial, (int)count, total)))
        return -1;
    return session_fetch(how->session, sum, total, sizeof *sum, how->report);
}

int reduce_run(const char *module, struct reduce_data *d, struct launch_shape shape, bool on_gpu,
               const struct trial *how, struct attempt *got)
{
    const struct lab_variant *v = how->variant;
    struct session *s = how->session;
    float sum = 0;
    uint64_t total, at[2];
    struct lab_launch l = {.module = module, .kernel = v->kernel, .grid = {shape.blocks, 1, 1},
                           .block = {shape.threads, 1, 1},
                           .shared_bytes = v->tag & SHARED_VALUES ? shape.threads * sizeof sum : 0};
    got->value = (double)d->sum.in_order;
    if (!(v->tag & ON_HOST)) {
        got->has_predicted = !v->mended_by && !(v->tag & BY_CUBLAS);
        got->predicted = reduce_atomics(v, d->n, shape);
        if (send(d, on_gpu && !session_on_gpu(s), s, at, how->report) ||
            lab_array(s, sizeof sum, "total", &sum, &total, how->report))
            return -1;
        int failed = adds(v) >= SUMS_TO_HOST
                         ? run_partials(&l, d, at, total, how, got, &sum)
                         : launch(&l, d, at, total, how, got) ||
                               session_fetch(s, &sum, total, sizeof sum, how->report);
        if (failed)
            return -1;
        got->value = (double)sum;
    }
    judge(v, d, shape, got);
    return 0;
}
