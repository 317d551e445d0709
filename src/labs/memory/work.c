/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the kernels of the memory lab. Their inputs come from the seed, all their results are
 * whole numbers modulo 2^32, so right means every bit.
 */
#include "labs/memory/work.h"

#include "base/philox.h"
#include "labkit/lab.h"
#include "labkit/shape.h"
#include <string.h>

enum { WARP = 32, CHOICES = 4, MOST_WORDS = 1 << 24, MOST_WORK = 1 << 26 };

/* What one run works on, all in host memory: in, what is expected, what came out. */
struct memory_work {
    const struct trial *how;
    const struct memory_size *size;
    uint32_t *in, *want, *got;
    uint64_t in_words, words;
    uint32_t which, few[CHOICES];
};

static enum memory_job job_of(const struct lab_variant *v)
{
    return (enum memory_job)(v->tag & MEMORY_JOB);
}

static uint64_t threads_of(const struct memory_size *s)
{
    return (uint64_t)s->blocks * s->threads;
}

/* ---- sizes ------------------------------------------------------------------------------ */

uint64_t memory_shared(const struct lab_variant *v, const struct memory_size *s)
{
    if (v->tag & BINS_IN_SHARED)
        return (uint64_t)MEMORY_BINS * s->threads * sizeof(int);
    return job_of(v) == FILL_SHARED ? s->shared_bytes : 0;
}

static uint64_t words_in(const struct lab_variant *v, const struct memory_size *s)
{
    switch (job_of(v)) {
    case TOUCH_EACH: return threads_of(s);
    case THROUGH_SYMBOLS: return s->terms;
    case FILL_BINS: return threads_of(s) * s->keys;
    default: return 1;
    }
}

static uint64_t words_out(const struct lab_variant *v, const struct memory_size *s)
{
    switch (job_of(v)) {
    case FILL_BINS: return threads_of(s) * MEMORY_BINS;
    case FILL_SHARED: return s->blocks * (s->shared_bytes / sizeof(int));
    default: return threads_of(s);
    }
}

int memory_fits(const struct lab_variant *v, const struct memory_size *s,
                const struct device_props *p, struct report *r)
{
    char out[NUM_TEXT], most[NUM_TEXT];
    uint64_t optin = p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block;
    uint64_t in = words_in(v, s), words = words_out(v, s), larger = in > words ? in : words;
    uint64_t shared = memory_shared(v, s);
    if (threads_in_block(s->threads, p, r))
        return -1;
    if (optin && shared > optin)
        return report_fail(r,
                           "%s bytes of shared memory per block%s: this device allows at most %s",
                           num_group((int64_t)shared, out),
                           v->tag & BINS_IN_SHARED ? ", 64 per thread" : "",
                           num_group((int64_t)optin, most));
    if (job_of(v) == THROUGH_SYMBOLS && threads_of(s) * s->terms > MOST_WORK)
        return report_fail(r,
                           "%u x %u threads with %u terms each need %s steps, and at most %s are "
                           "possible; take fewer threads or terms",
                           s->blocks, s->threads, s->terms,
                           num_group((int64_t)(threads_of(s) * s->terms), out),
                           num_group(MOST_WORK, most));
    if (larger <= MOST_WORDS)
        return 0;
    return report_fail(r,
                       "%u x %u threads need arrays of %s numbers here, and at most %s are "
                       "possible; take fewer blocks%s",
                       s->blocks, s->threads, num_group((int64_t)larger, out),
                       num_group(MOST_WORDS, most), in > words ? " or fewer --keys" : "");
}

uint64_t memory_local_loads(const struct lab_variant *v, const struct memory_size *s)
{
    uint64_t warps = (uint64_t)s->blocks * ((s->threads + WARP - 1) / WARP);
    if (job_of(v) == TOUCH_EACH)
        return warps;
    bool in_local = strcmp(v->name, "spill") == 0;
    return in_local ? warps * (s->keys + MEMORY_BINS) : 0; /* each key, then each bin */
}

/* ---- plain C ---------------------------------------------------------------------------- */

static void fill_random(uint64_t seed, uint32_t *to, size_t n, uint32_t mask)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (size_t i = 0; i < n; i += 4) {
        uint32_t counter[4] = {(uint32_t)i, 0, 0, 0}, four[4];
        philox(key, counter, four);
        for (size_t k = i; k < n && k < i + 4; k++)
            to[k] = four[k - i] & mask;
    }
}

static void expect_touches(struct memory_work *w)
{
    const struct memory_size *s = w->size;
    for (size_t i = 0; i < w->words; i++) {
        size_t block = i / s->threads * s->threads, next = block + (i - block + 1) % s->threads;
        w->want[i] = w->in[i] + w->in[i] * (w->which + 3) + w->in[next] + w->few[w->which];
    }
}

static void expect_polynomials(struct memory_work *w)
{
    for (size_t i = 0; i < w->words; i++)
        for (uint64_t k = w->in_words; k-- > 0;)
            w->want[i] = w->want[i] * (uint32_t)i + w->in[k];
}

static void expect_bins(struct memory_work *w)
{
    const uint64_t threads = w->words / MEMORY_BINS;
    for (size_t k = 0; k < w->in_words; k++)
        w->want[w->in[k] * threads + k % threads]++;
}

static void expect_shared(struct memory_work *w)
{
    const uint64_t words = w->size->shared_bytes / sizeof(int);
    for (size_t i = 0; i < w->words; i++)
        w->want[i] = (uint32_t)(3 * (words - 1 - i % words) + i / words);
}

static void prepare(struct memory_work *w)
{
    uint64_t seed = w->how->session->settings.seed;
    enum memory_job job = job_of(w->how->variant);
    w->which = (uint32_t)(seed % CHOICES);
    fill_random(seed + 1, w->few, CHOICES, UINT32_MAX);
    fill_random(seed, w->in, (size_t)w->in_words, job == FILL_BINS ? MEMORY_BINS - 1 : UINT32_MAX);
    switch (job) {
    case TOUCH_EACH: expect_touches(w); break;
    case THROUGH_SYMBOLS: expect_polynomials(w); break;
    case FILL_BINS: expect_bins(w); break;
    default: expect_shared(w);
    }
}

/* ---- the device ------------------------------------------------------------------------- */

/* What the lab is about are its counters: they are wanted wherever it runs. */
static struct lab_launch launch_of(const struct memory_work *w)
{
    const struct lab_variant *v = w->how->variant;
    return (struct lab_launch){.module = "memory",
                               .kernel = v->kernel,
                               .grid = {w->size->blocks, 1, 1},
                               .block = {w->size->threads, 1, 1},
                               .shared_bytes = memory_shared(v, w->size),
                               .together = true,
                               .counts = true};
}

/* Coefficients, the count of launches and the pointer go to their names; as many launches as
 * asked for, or until one is stopped. *launches: what the kernel's own count says. */
static int run_symbols(const struct memory_work *w, uint64_t out, struct attempt *got,
                       unsigned *launches)
{
    struct session *s = w->how->session;
    struct report *r = w->how->report;
    const struct lab_launch l = launch_of(w);
    const uint32_t none = 0;
    const uint64_t where = w->how->variant->tag & NO_WHERE ? 0 : out;
    if (lab_symbol_store(s, "memory", "coefficient", w->in, w->in_words * sizeof *w->in, r) ||
        lab_symbol_store(s, "memory", "launches", &none, sizeof none, r) ||
        lab_symbol_store(s, "memory", "where", &where, sizeof where, r))
        return -1;
    for (unsigned i = 0; i < w->size->launches && !got->fault[0]; i++)
        if (trial_launch(w->how, &l, got, PARAMS((int)w->in_words)))
            return -1;
    return lab_symbol_fetch(s, "memory", "launches", launches, sizeof *launches, r);
}

static int run_arrays(const struct memory_work *w, uint64_t out, struct attempt *got)
{
    struct session *s = w->how->session;
    struct report *r = w->how->report;
    const struct lab_launch l = launch_of(w);
    uint64_t in;
    if (job_of(w->how->variant) == FILL_SHARED)
        return trial_launch(w->how, &l, got,
                            PARAMS(out, (int)(w->size->shared_bytes / sizeof(int))));
    bool bins = job_of(w->how->variant) == FILL_BINS;
    if (!bins && lab_symbol_store(s, "memory", "chosen", w->few, sizeof w->few, r))
        return -1;
    return lab_array(s, w->in_words * sizeof *w->in, bins ? "keys" : "in", w->in, &in, r) ||
                   trial_launch(w->how, &l, got,
                                PARAMS(in, out, bins ? (int)w->size->keys : (int)w->which))
               ? -1
               : 0;
}

/* Right are all words, as many local loads as the rule says, and the kernel's count of launches. */
static void judge(const struct memory_work *w, unsigned launches, struct attempt *got)
{
    const struct lab_variant *v = w->how->variant;
    const struct counters *c = &got->counters;
    size_t right = 0;
    for (size_t i = 0; i < w->words; i++)
        right += w->got[i] == w->want[i];
    got->value = (double)right;
    got->expected = (double)w->words;
    got->error = got->expected - got->value;
    const char *schedule = w->how->schedule->name; /* of several that are tried; else NULL */
    got->has_predicted = !v->mended_by && (!schedule || strcmp(schedule, "independent") != 0);
    got->predicted = memory_local_loads(v, w->size);
    got->right = right == w->words;
    if (job_of(v) == THROUGH_SYMBOLS)
        got->right = got->right && launches == w->size->launches;
    if (got->has_counters && got->has_predicted)
        got->right = got->right && c->local_load_requests == got->predicted;
    got->cost = got->has_counters
                    ? c->global_load_requests + c->global_store_requests + c->local_load_requests +
                          c->local_store_requests
                    : got->predicted;
}

static int run_on_device(struct memory_work *w, struct attempt *got, unsigned *launches)
{
    struct session *s = w->how->session;
    struct report *r = w->how->report;
    uint64_t out;
    bool symbols = job_of(w->how->variant) == THROUGH_SYMBOLS;
    if (lab_array(s, w->words * sizeof *w->got, "out", NULL, &out, r) ||
        (symbols ? run_symbols(w, out, got, launches) : run_arrays(w, out, got)) ||
        session_fetch(s, w->got, out, w->words * sizeof *w->got, r))
        return -1;
    judge(w, *launches, got);
    return 0;
}

int memory_run(const struct trial *how, const struct memory_size *size, struct attempt *got,
               unsigned *launches)
{
    struct memory_work w = {.how = how,
                            .size = size,
                            .in_words = words_in(how->variant, size),
                            .words = words_out(how->variant, size)};
    const uint64_t words = w.in_words + 2 * w.words;
    *launches = 0;
    w.in = mem_alloc(&allocator_libc, words * sizeof *w.in);
    if (!w.in)
        return report_fail_limit(how->report, "out of memory; fewer blocks need less");
    w.want = w.in + w.in_words;
    w.got = w.want + w.words;
    prepare(&w);
    int failed = run_on_device(&w, got, launches);
    mem_free(&allocator_libc, w.in, words * sizeof *w.in);
    return failed;
}
