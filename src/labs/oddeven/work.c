/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks as lists of steps, and one run of a variant. The pairs are worked out here once more, in
 * plain C, for the counts that are predicted and for the picture.
 */
#include "labs/oddeven/work.h"

#include "labkit/floats.h"
#include "labkit/lab.h"
#include "labkit/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARP = 32, USUAL_THREADS = 128 };

static unsigned kind_of(const struct lab_variant *v)
{
    return (unsigned)v->tag & SORT_MASK;
}

/* ---- data ------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

int sort_open(struct sort_data *d, struct session *s, int n, const char *fill, uint64_t seed,
              struct report *r)
{
    size_t bytes = (size_t)n * sizeof(float);
    *d = (struct sort_data){.n = n};
    float **all[] = {&d->x, &d->want, &d->got};
    for (int k = 0; k < 3; k++)
        if (!(*all[k] = mem_alloc(&allocator_libc, bytes)))
            return report_fail_limit(r, "out of memory; a smaller n needs less");
    if (floats_fill(s, "x", fill, seed, d->x, (uint64_t)n, r))
        return -1;
    for (int i = 0; i < n; i++)
        d->x[i] += 0.0f; /* -0 becomes 0: the two are equal, and only one order has the same bits */
    memcpy(d->want, d->x, bytes);
    qsort(d->want, (size_t)n, sizeof *d->want, by_value);
    return lab_host_goes_on(s, r);
}

void sort_close(struct sort_data *d)
{
    float **all[] = {&d->x, &d->want, &d->got};
    for (int k = 0; k < 3; k++)
        mem_free(&allocator_libc, *all[k], *all[k] ? (size_t)d->n * sizeof(float) : 0);
}

/* ---- networks --------------------------------------------------------------------------- */

static bool halves(const struct lab_variant *v)
{
    return kind_of(v) == SORT_BITONIC || kind_of(v) == SORT_BATCHER;
}

int sort_pairs(const struct lab_variant *v, int n)
{
    int padded = 2;
    if (!halves(v))
        return n / 2;
    while (padded < n)
        padded *= 2;
    return padded / 2;
}

bool sort_first(const struct lab_variant *v, int n, struct sort_step *s)
{
    (void)v;
    *s = (struct sort_step){.size = 1, .distance = 1, .mask = 1};
    return n > 1;
}

bool sort_next(const struct lab_variant *v, int n, struct sort_step *s)
{
    s->number++;
    if (!halves(v)) {
        s->first = (int)(s->number % 2);
        return s->number < (unsigned)n;
    }
    s->mask = s->distance /= 2;
    if (s->distance == 0) {
        s->size *= 2;
        s->distance = s->size;
        s->mask = 2 * s->size - 1;
    }
    return s->size < n;
}

bool sort_pair(const struct lab_variant *v, int n, const struct sort_step *s, int pair, int *low,
               int *high)
{
    int part = 2 * s->distance * (pair / s->distance) + pair % s->distance;
    switch (kind_of(v)) {
    case SORT_BITONIC:
        *low = part;
        *high = part ^ s->mask;
        return *high < n;
    case SORT_BATCHER:
        *low = part + s->distance % s->size;
        *high = *low + s->distance;
        return *high < n && *low / (2 * s->size) == *high / (2 * s->size);
    default:
        *low = s->first + 2 * pair;
        *high = *low + 1;
        return *high < n;
    }
}

static unsigned warps_in(unsigned threads)
{
    return (threads + WARP - 1) / WARP;
}

/* Warps that have work where the first `busy` threads of the grid do. */
static uint64_t busy_warps(uint64_t busy, struct launch_shape s)
{
    return busy / s.threads * warps_in(s.threads) + warps_in((unsigned)(busy % s.threads));
}

/* A step of a network, done on d->got. A part has the pairs of some blocks. */
struct halving_step {
    const struct lab_variant *v;
    const struct sort_data *d;
    struct sort_step step;
    unsigned threads; /* of a block */
    int pairs, each;  /* in all; of a part */
    struct sort_network *net;
};
struct step_counts { uint64_t warps, comparisons, exchanges; };

static int do_pairs(void *self, uint64_t part, void *made, struct err *e)
{
    const struct halving_step *h = self;
    const int first = (int)part * h->each, threads = (int)h->threads;
    struct step_counts *counts = made;
    float *x = h->d->got;
    (void)e;
    *counts = (struct step_counts){0};
    for (int pair = first, counted = -1, low, high; pair < first + h->each && pair < h->pairs;
         pair++) {
        const int warp = pair / threads * (int)warps_in(h->threads) + pair % threads / WARP;
        if (!sort_pair(h->v, h->d->n, &h->step, pair, &low, &high))
            continue;
        counts->warps += warp != counted;
        counted = warp;
        const float a = x[low], b = x[high];
        counts->comparisons++;
        counts->exchanges += b < a;
        x[low] = b < a ? b : a;
        x[high] = b < a ? a : b;
    }
    return 0;
}

/* A warp loads twice in a step where one of its threads has a pair. */
static int add_counts(void *self, uint64_t part, const void *made, struct err *e)
{
    struct sort_network *net = ((const struct halving_step *)self)->net;
    const struct step_counts *counts = made;
    (void)part, (void)e;
    net->loads += 2 * counts->warps;
    net->comparisons += counts->comparisons;
    net->exchanges += counts->exchanges;
    return 0;
}

static int count_halving(const struct lab_variant *v, const struct sort_data *d,
                         struct launch_shape shape, struct sort_network *net,
                         const struct session *s, struct report *r)
{
    enum { PAIRS = 1 << 14 }; /* of a part, about */
    struct halving_step h = {.v = v, .d = d, .threads = shape.threads,
                             .pairs = sort_pairs(v, d->n), .net = net};
    h.each = (int)(divide_up(PAIRS, shape.threads) * shape.threads);
    memcpy(d->got, d->x, (size_t)d->n * sizeof(float));
    for (bool more = sort_first(v, d->n, &h.step); more; more = sort_next(v, d->n, &h.step)) {
        net->steps++;
        if (lab_do_parts(s, &(struct parts){
                                .count = divide_up((uint64_t)h.pairs, (uint64_t)h.each),
                                .bytes = sizeof(struct step_counts), .self = &h,
                                .make = do_pairs, .take = add_counts}, r))
            return -1;
    }
    return 0;
}

/* Pairs in the wrong order, counted by a merge sort: an exchange of neighbours removes one. */
static uint64_t inversions(float *x, float *aside, int n)
{
    if (n < 2)
        return 0;
    int half = n / 2, left = 0, right = half;
    uint64_t found = inversions(x, aside, half) + inversions(x + half, aside + half, n - half);
    for (int k = 0; k < n; k++) {
        bool from_right = left == half || (right < n && x[right] < x[left]);
        found += from_right ? (uint64_t)(half - left) : 0;
        aside[k] = from_right ? x[right++] : x[left++];
    }
    memcpy(x, aside, (size_t)n * sizeof *x);
    return found;
}

static void count_neighbours(const struct lab_variant *v, const struct sort_data *d,
                             struct launch_shape shape, struct sort_network *net)
{
    uint64_t n = (uint64_t)d->n, even = (n + 1) / 2, odd = n / 2;
    float *aside = mem_alloc(&allocator_libc, (size_t)n * sizeof *aside);
    net->steps = d->n > 1 ? (unsigned)n : 0;
    net->comparisons = n * (n - 1) / 2;
    if (kind_of(v) == SORT_LAUNCHES && n > 1)
        net->loads = 2 * (even * busy_warps(n / 2, shape) + odd * busy_warps((n - 1) / 2, shape));
    net->counted = aside != NULL;
    if (!aside)
        return;
    memcpy(d->got, d->x, (size_t)n * sizeof *aside);
    net->exchanges = inversions(d->got, aside, d->n);
    mem_free(&allocator_libc, aside, (size_t)n * sizeof *aside);
}

/* Each round loads its chunks once; the first chunk of an odd round is left alone. */
static void count_chunks(int n, struct launch_shape shape, struct sort_network *net)
{
    uint64_t size = shape.threads;
    net->steps = (unsigned)divide_up((uint64_t)n, size);
    for (uint64_t round = 0; round < net->steps; round++) {
        uint64_t left = (uint64_t)n - (round % 2) * size;
        uint64_t in_pairs = left % (2 * size) <= size && round ? left - left % (2 * size) : left;
        net->loads += busy_warps(in_pairs, shape);
    }
}

int sort_network(const struct lab_variant *v, const struct sort_data *d, struct launch_shape shape,
                 const struct session *s, struct sort_network *net, struct report *r)
{
    *net = (struct sort_network){.counted = halves(v)};
    if (halves(v))
        return count_halving(v, d, shape, net, s, r);
    if (kind_of(v) == SORT_CHUNKS)
        count_chunks(d->n, shape, net);
    else if (kind_of(v) != SORT_ON_HOST)
        count_neighbours(v, d, shape, net);
    return 0;
}

/* ---- shape ------------------------------------------------------------------------------ */

struct launch_shape sort_shape(const struct lab_variant *v, int n, int blocks, int threads,
                               const struct device_props *p)
{
    struct launch_shape s = {.threads = threads ? (unsigned)threads : USUAL_THREADS};
    unsigned pairs = (unsigned)sort_pairs(v, n), per_sm;
    if (v->tag & SORT_BLOCK_WAITS && !threads && pairs <= s.threads)
        s.threads = pairs > 1 ? (pairs + 1) / 2 : 1; /* two blocks show it */
    s.blocks = (unsigned)divide_up(kind_of(v) == SORT_CHUNKS ? ((unsigned)n + 1) / 2 : pairs,
                                   s.threads);
    if (kind_of(v) == SORT_STRIDE) {
        unsigned most = blocks_at_once(s.threads, p, &per_sm);
        s.blocks = (s.blocks + 1) / 2 < most ? (s.blocks + 1) / 2 : most;
    }
    if (blocks && kind_of(v) != SORT_CHUNKS)
        s.blocks = (unsigned)blocks;
    s.blocks = s.blocks ? s.blocks : 1;
    return s;
}

static const char *closed_grid(const struct lab_variant *v, int n, struct launch_shape s,
                               const struct device_props *p, char out[160])
{
    unsigned per_sm, most = blocks_at_once(s.threads, p, &per_sm);
    if (p->major < 6)
        snprintf(out, 160, "blocks can wait for each other since compute capability 6.0, and this "
                           "card has %d.%d; --variant launches needs no such barrier",
                 p->major, p->minor);
    else if (s.blocks > most && kind_of(v) == SORT_GRID)
        snprintf(out, 160, "n = %d takes %u blocks of %u threads, and %u can run at the same time "
                           "here; --variant coop-stride sorts any n", n, s.blocks, s.threads, most);
    else if (s.blocks > most)
        snprintf(out, 160, "--blocks %u: %u blocks of %u threads can run at the same time here",
                 s.blocks, most, s.threads);
    return out[0] ? out : NULL;
}

const char *sort_closed(const struct lab_variant *v, int n, struct launch_shape s,
                        const struct device_props *p, char out[160])
{
    unsigned kind = kind_of(v);
    bool of_grid = kind == SORT_GRID || kind == SORT_STRIDE;
    uint64_t pairs = (uint64_t)sort_pairs(v, n);
    out[0] = '\0';
    if (kind == SORT_CHUNKS && (s.threads & (s.threads - 1)))
        snprintf(out, 160, "--threads %u: it halves the distances, so the number of threads must "
                           "be a power of two, for example 128", s.threads);
    else if (kind != SORT_CHUNKS && kind != SORT_STRIDE && shape_threads(s) < pairs)
        snprintf(out, 160, "%u x %u threads are fewer than the %llu pairs of a step; it needs "
                           "--blocks %llu", s.blocks, s.threads, (unsigned long long)pairs,
                 (unsigned long long)divide_up(pairs, s.threads));
    else if (v->tag & SORT_BLOCK_WAITS && pairs <= s.threads)
        snprintf(out, 160, "n = %d fits in one block of %u threads, where it is right; take a "
                           "larger n or fewer --threads", n, s.threads);
    else if (of_grid && !(v->tag & SORT_BLOCK_WAITS))
        closed_grid(v, n, s, p, out);
    return out[0] ? out : NULL;
}

/* ---- one run ---------------------------------------------------------------------------- */

static int launch_chunks(const struct trial *t, struct lab_launch *l, uint64_t x, int n,
                         struct attempt *got)
{
    int size = (int)l->block[0], chunks = (int)divide_up((uint64_t)n, (uint64_t)size);
    l->shared_bytes = 2 * l->block[0] * sizeof(float);
    int failed = trial_launch(t, l, got, PARAMS(x, n));
    l->kernel = "oddeven_merge";
    for (int round = 1; round < chunks && !got->fault[0] && !failed; round++) {
        l->grid[0] = (unsigned)(chunks - round % 2) / 2;
        if (l->grid[0])
            failed = trial_launch(t, l, got, PARAMS(x, n, round % 2));
    }
    return failed;
}

static int launch_step(const struct trial *t, const struct lab_launch *l, uint64_t x, int n,
                       const struct sort_step *s, struct attempt *got)
{
    switch (kind_of(t->variant)) {
    case SORT_BITONIC: return trial_launch(t, l, got, PARAMS(x, n, s->distance, s->mask));
    case SORT_BATCHER: return trial_launch(t, l, got, PARAMS(x, n, s->size, s->distance));
    default: return trial_launch(t, l, got, PARAMS(x, n, s->first));
    }
}

static int launch_steps(const struct trial *t, struct lab_launch *l, uint64_t x, int n,
                        struct attempt *got)
{
    struct sort_step s;
    int failed = 0;
    if (kind_of(t->variant) == SORT_CHUNKS)
        failed = launch_chunks(t, l, x, n, got);
    else
        for (bool more = sort_first(t->variant, n, &s); more && !got->fault[0] && !failed;
             more = sort_next(t->variant, n, &s))
            failed = launch_step(t, l, x, n, &s, got);
    return failed;
}

static int launch(const struct trial *t, struct launch_shape shape, uint64_t x, int n,
                  struct attempt *got)
{
    const struct lab_variant *v = t->variant;
    struct lab_launch l = {.module = "oddeven", .kernel = v->kernel, .grid = {shape.blocks},
                           .block = {shape.threads}, .plain = v->tag & SORT_PLAINLY};
    if (kind_of(v) == SORT_GRID || kind_of(v) == SORT_STRIDE)
        return trial_launch(t, &l, got, PARAMS(x, n));
    return launch_steps(t, &l, x, n, got);
}

int sort_run(const struct trial *t, struct sort_data *d, struct launch_shape shape,
             struct attempt *got)
{
    size_t bytes = (size_t)d->n * sizeof(float);
    uint64_t x;
    if (kind_of(t->variant) == SORT_ON_HOST)
        memcpy(d->got, d->want, bytes);
    else if (lab_array(t->session, bytes, "x", d->x, &x, t->report) ||
             launch(t, shape, x, d->n, got) ||
             session_fetch(t->session, d->got, x, bytes, t->report))
        return -1;
    lab_arrays_free(t->session);
    attempt_array(got, d->got, d->want, (size_t)d->n);
    return 0;
}
