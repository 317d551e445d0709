/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run, and its verdict.
 */
#include "labs/pi/work.h"

#include "base/philox.h"
#include "base/rounding.h"
#include "dev/jobs.h"
#include "labkit/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_THREADS = 256, USUAL_BLOCKS = 4, USUAL_LAUNCHES = 4, PLAIN_MOST = 1 << 22,
       SIGMAS = 5 };

const char *const pi_generators[] = {"xorwow", "philox", "mrg", NULL};
static const char *const modules[] = {"pi-xorwow", "pi", "pi-mrg"};
static const unsigned state_bytes[] = {48, 64, 48}; /* as cuRAND lays its states out */

static bool keeps_states(const struct lab_variant *v)
{
    return v->tag == PI_SAVED || v->tag == PI_UNSAVED;
}

/* Its kernel calls the device functions of cuRAND. */
static bool draws_itself(const struct lab_variant *v)
{
    return v->tag != PI_OWN && v->tag != PI_HOST;
}

/* ---- shape ------------------------------------------------------------------------------ */

static int fits(const struct pi_task *t, int least, struct report *r)
{
    char all[NUM_TEXT];
    num_group((int64_t)shape_threads(t->shape), all);
    if (shape_threads(t->shape) > PI_MOST_THREADS)
        return report_fail(r, "%u x %u threads are %s; at most 1,048,576 draw points here",
                           t->shape.blocks, t->shape.threads, all);
    if (shape_threads(t->shape) * (uint64_t)least <= (uint64_t)t->n)
        return 0;
    if (least > 1)
        return report_fail(r, "--launches %d: each of %s threads draws a point in each launch; "
                              "take at least %llu --trials", least, all,
                           (unsigned long long)shape_threads(t->shape) * (unsigned)least);
    return report_fail(r, "%u x %u threads are %s, and each draws a point; take at least as many "
                          "--trials", t->shape.blocks, t->shape.threads, all);
}

int pi_choose(const struct lab_variant *v, int n, int blocks, int threads, int launches,
              const struct device_props *p, struct pi_task *t, struct report *r)
{
    unsigned usual = n < USUAL_THREADS ? (unsigned)n : USUAL_THREADS;
    t->n = n;
    t->shape.threads = threads ? (unsigned)threads : usual;
    unsigned room = (unsigned)n / t->shape.threads;
    t->shape.blocks = blocks ? (unsigned)blocks : room < USUAL_BLOCKS ? room : USUAL_BLOCKS;
    t->shape.blocks = t->shape.blocks ? t->shape.blocks : 1;
    if (threads_in_block(t->shape.threads, p, r) || blocks_in_grid(t->shape.blocks, p, r))
        return -1;
    t->launches = 1;
    if (fits(t, 1, r))
        return -1;
    t->all = (unsigned)shape_threads(t->shape);
    if (!keeps_states(v))
        return 0;
    int most = n / (int)t->all;
    t->launches = launches ? launches : most < USUAL_LAUNCHES ? most : USUAL_LAUNCHES;
    return fits(t, t->launches, r);
}

const char *pi_shows_nothing(const struct lab_variant *v, const struct pi_task *t)
{
    if (v->tag == PI_ONESEED && t->all < 2)
        return "one thread has no other one to share its numbers with; take more --threads";
    if (v->tag == PI_UNSAVED && t->launches < 2)
        return "there is one launch, where it is right; take more --launches or --trials";
    return NULL;
}

static int share(int n, unsigned all, unsigned i)
{
    return n / (int)all + (i < (unsigned)n % all);
}

static int of_launch(const struct pi_task *t, int launch)
{
    return share(t->n, (unsigned)t->launches, (unsigned)launch);
}

/* ---- plain C ---------------------------------------------------------------------------- */

static float uniform(uint32_t word)
{
    return (float)word * 0x1p-32f + 0x1p-33f;
}

static void count_point(float at_x, float at_y, struct pi_found *f)
{
    double x = (double)at_x, y = (double)at_y, off = x * x + y * y - 1;
    f->plain += off <= 0;
    f->border += magnitude_of(off) < 0x1p-22;
}

/* A thread's points, one after the other: two come from one call of Philox. */
static void count_thread(uint64_t seed, uint32_t sequence, int points, struct pi_found *f)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t four[4] = {0};
    for (int k = 0; k < points; k++) {
        const uint32_t counter[4] = {(uint32_t)k / 2, 0, sequence, 0};
        if (k % 2 == 0)
            philox(key, counter, four);
        count_point(uniform(four[k % 2 * 2]), uniform(four[k % 2 * 2 + 1]), f);
    }
}

/* The points that cuRAND has left in the array. */
static int count_numbers(const struct trial *how, const struct pi_task *t, uint64_t at,
                         struct pi_found *f)
{
    size_t bytes = (size_t)t->n * sizeof(float[2]);
    float(*points)[2] = mem_alloc(&allocator_libc, bytes);
    int failed = points ? session_fetch(how->session, points, at, bytes, how->report)
                        : report_fail_limit(how->report, "out of memory; take fewer --trials");
    for (int k = 0; k < t->n && !failed; k++)
        count_point(points[k][0], points[k][1], f);
    mem_free(&allocator_libc, points, points ? bytes : 0);
    return failed ? -1 : 0;
}

static int count_threads(const struct trial *how, const struct pi_task *t, struct pi_found *f)
{
    const bool seeds = how->variant->tag == PI_SEEDS;
    for (unsigned i = 0; i < t->all; i++) {
        int points = 0;
        for (int launch = 0; launch < t->launches; launch++)
            points += share(of_launch(t, launch), t->all, i);
        count_thread(t->seed + (seeds ? i : 0), seeds ? 0 : i, points, f);
        if (i % 4096 == 0 && lab_host_goes_on(how->session, how->report))
            return -1;
    }
    return 0;
}

/* ---- one run ---------------------------------------------------------------------------- */

struct pi_arrays { uint64_t first, hits, states, sums, numbers; };

static int get_arrays(const struct trial *how, const struct pi_task *t, size_t points,
                      struct pi_arrays *a)
{
    static const uint64_t zeros[PI_BOUNDS] = {0};
    const struct lab_variant *v = how->variant;
    struct session *s = how->session;
    if (lab_array(s, points * 2 * sizeof(float), "first", NULL, &a->first, how->report) ||
        lab_array(s, sizeof zeros, v->tag == PI_NORMAL ? "within" : "hits", zeros, &a->hits,
                  how->report))
        return -1;
    if (keeps_states(v))
        return lab_array(s, (uint64_t)t->all * state_bytes[t->generator], "states", NULL,
                         &a->states, how->report);
    if (v->tag == PI_HOST)
        return lab_array(s, (uint64_t)t->n * 2 * sizeof(float), "numbers", NULL, &a->numbers,
                         how->report);
    if (v->tag == PI_NORMAL)
        return lab_array(s, (uint64_t)t->all * sizeof(float), "sums", NULL, &a->sums, how->report);
    return 0;
}

/* What keeps its states has been set up by a launch of its own. */
static int launch_with_states(const struct trial *how, const struct pi_task *t,
                              struct lab_launch *l, const struct pi_arrays *a,
                              struct attempt *got)
{
    l->kernel = "pi_start";
    int failed = trial_launch(how, l, got, PARAMS(t->seed, a->states));
    l->kernel = how->variant->kernel;
    for (int k = 0; k < t->launches && !failed && !got->fault[0]; k++) {
        uint64_t first = a->first + (uint64_t)k * t->all * 2 * sizeof(float);
        failed = trial_launch(how, l, got, PARAMS(of_launch(t, k), a->states, first, a->hits));
    }
    return failed;
}

/* The library's call comes first, and the kernel loads what it has left. */
static int launch_with_numbers(const struct trial *how, const struct pi_task *t,
                               const struct lab_launch *l, const struct pi_arrays *a,
                               struct attempt *got)
{
    static const enum random_type types[] = {
        [PI_XORWOW] = RANDOM_XORWOW, [PI_PHILOX] = RANDOM_PHILOX, [PI_MRG] = RANDOM_MRG};
    const struct random_job numbers = {
        .to = a->numbers, .n = (uint64_t)t->n * 2, .seed = t->seed, .type = types[t->generator]};
    if (trial_random(how, &numbers, got))
        return -1;
    if (got->not_run[0] || got->fault_ends)
        return 0;
    return trial_launch(how, l, got, PARAMS(t->n, a->numbers, a->first, a->hits));
}

static int launch(const struct trial *how, const struct pi_task *t, const struct pi_arrays *a,
                  struct attempt *got)
{
    const struct lab_variant *v = how->variant;
    struct lab_launch l = {.module = draws_itself(v) ? modules[t->generator] : "pi",
                           .kernel = v->kernel, .grid = {t->shape.blocks},
                           .block = {t->shape.threads}};
    if (v->tag == PI_HOST)
        return launch_with_numbers(how, t, &l, a, got);
    if (v->tag == PI_NORMAL)
        return trial_launch(how, &l, got, PARAMS(t->seed, t->n, a->first, a->sums, a->hits));
    if (!keeps_states(v))
        return trial_launch(how, &l, got, PARAMS(t->seed, t->n, a->first, a->hits));
    return launch_with_states(how, t, &l, a, got);
}

static int fetch_mean(const struct trial *how, const struct pi_task *t, uint64_t at,
                      struct pi_found *f)
{
    size_t bytes = t->all * sizeof(float);
    double sum = 0;
    float *sums = mem_alloc(&allocator_libc, bytes);
    int failed = sums ? session_fetch(how->session, sums, at, bytes, how->report)
                      : report_fail_limit(how->report, "out of memory; take fewer threads");
    for (unsigned i = 0; i < t->all && !failed; i++)
        sum += (double)sums[i];
    f->mean = sum / t->n;
    mem_free(&allocator_libc, sums, sums ? bytes : 0);
    return failed ? -1 : 0;
}

static int fetch(const struct trial *how, const struct pi_task *t, const struct pi_arrays *a,
                 struct pi_found *f)
{
    uint64_t counts[PI_BOUNDS];
    if (session_fetch(how->session, f->first, a->first, f->points * sizeof f->first[0],
                      how->report) ||
        session_fetch(how->session, counts, a->hits, sizeof counts, how->report))
        return -1;
    f->hits = counts[0];
    memcpy(f->within, counts, sizeof counts);
    return how->variant->tag == PI_NORMAL ? fetch_mean(how, t, a->sums, f) : 0;
}

/* The hits of cuRAND's other generators aren't counted where a thread draws them. */
static int count_plainly(const struct trial *how, const struct pi_task *t,
                         const struct pi_arrays *a, struct pi_found *f)
{
    const int tag = how->variant->tag;
    const bool philox_points = tag == PI_OWN || (t->generator == PI_PHILOX && tag <= PI_SAVED);
    f->has_plain = t->n <= PLAIN_MOST && (philox_points || tag == PI_HOST);
    if (!f->has_plain)
        return 0;
    return tag == PI_HOST ? count_numbers(how, t, a->numbers, f) : count_threads(how, t, f);
}

/* ---- the verdict ------------------------------------------------------------------------ */

static int by_bits(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(float));
}

static int count_distinct(struct pi_found *f, struct report *r)
{
    size_t bytes = f->points * sizeof f->first[0];
    float(*sorted)[2] = mem_alloc(&allocator_libc, bytes);
    if (!sorted)
        return report_fail_limit(r, "out of memory; take fewer threads");
    memcpy(sorted, f->first, bytes);
    qsort(sorted, f->points, sizeof sorted[0], by_bits);
    f->distinct = f->points > 0;
    for (size_t i = 1; i < f->points; i++)
        f->distinct += by_bits(sorted[i], sorted[i - 1]) != 0;
    mem_free(&allocator_libc, sorted, bytes);
    return 0;
}

/* Of 4 times a share that is near pi / 4, or of 2 by the square of a mean. */
double pi_sigma(const struct lab_variant *v, int n)
{
    const double part = PI_VALUE / 4, root = __builtin_sqrt((double)n);
    if (v->tag == PI_NORMAL)
        return PI_VALUE * __builtin_sqrt(2 * PI_VALUE - 4) / root;
    return 4 * __builtin_sqrt(part * (1 - part)) / root;
}

static void judge(const struct lab_variant *v, const struct pi_task *t, const struct pi_found *f,
                  struct attempt *got)
{
    uint64_t off = f->hits > f->plain ? f->hits - f->plain : f->plain - f->hits;
    if (v->tag == PI_NORMAL)
        got->value = f->mean > 0 ? 2 / (f->mean * f->mean) : 0;
    else
        got->value = 4 * (double)f->hits / t->n;
    got->expected = PI_VALUE;
    got->error = got->value - PI_VALUE;
    got->wrong = f->points - f->distinct;
    got->right = magnitude_of(got->error) <= SIGMAS * pi_sigma(v, t->n) && !got->wrong &&
                 (!f->has_plain || off <= f->border);
}

void pi_close(struct pi_found *f)
{
    mem_free(&allocator_libc, f->first, f->first ? f->points * sizeof f->first[0] : 0);
    *f = (struct pi_found){0};
}

int pi_run(const struct trial *how, const struct pi_task *t, struct attempt *got,
           struct pi_found *f)
{
    struct pi_arrays a = {0};
    pi_close(f);
    f->points = (size_t)t->all * (unsigned)t->launches;
    f->first = mem_alloc(&allocator_libc, f->points * sizeof f->first[0]);
    if (!f->first)
        return report_fail_limit(how->report, "out of memory; take fewer threads");
    got->has_predicted = !how->variant->mended_by;
    got->predicted = f->points * (how->variant->tag == PI_NORMAL ? PI_BOUNDS : 1);
    if (get_arrays(how, t, f->points, &a) || launch(how, t, &a, got))
        return -1;
    if (got->fault_ends || got->not_run[0])
        return 0;
    if (fetch(how, t, &a, f) || count_distinct(f, how->report) ||
        count_plainly(how, t, &a, f))
        return -1;
    lab_arrays_free(how->session);
    judge(how->variant, t, f, got);
    if (got->has_counters)
        got->cost = got->counters.warp_instructions;
    return 0;
}
