/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the kernels of the memory lab. Their inputs come from the seed, all their results are
 * whole numbers modulo 2^32, so right means every bit.
 */
#include "teach/memory-run.h"

#include "base/philox.h"
#include "teach/lab.h"
#include <stdio.h>
#include <string.h>

enum { WARP = 32, CHOICES = 4, MOST_WORDS = 1 << 24, MOST_WORK = 1 << 26 };

/* What one run works on, all in host memory: in, what is expected, what came out. */
struct work {
    const struct memory_run *run;
    uint32_t *in, *want, *got;
    size_t in_words, words;
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
    if (p->max_threads_per_block && s->threads > (unsigned)p->max_threads_per_block)
        return report_fail(r, "--threads %u: a block has at most %d threads here", s->threads,
                           p->max_threads_per_block);
    if (optin && shared > optin)
        return report_fail(r, "%s bytes of shared memory a block%s: this device allows at most %s",
                           num_group((int64_t)shared, out),
                           v->tag & BINS_IN_SHARED ? ", 64 a thread" : "",
                           num_group((int64_t)optin, most));
    if (job_of(v) == THROUGH_SYMBOLS && threads_of(s) * s->terms > MOST_WORK)
        return report_fail(r,
                           "%u blocks x %u threads with %u terms each are %s steps, and %s is "
                           "the most: take fewer of one",
                           s->blocks, s->threads, s->terms,
                           num_group((int64_t)(threads_of(s) * s->terms), out),
                           num_group(MOST_WORK, most));
    if (larger <= MOST_WORDS)
        return 0;
    return report_fail(r,
                       "%u blocks x %u threads need arrays of %s numbers here, and %s is the "
                       "most: take fewer blocks%s",
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

static void expect_touches(struct work *w)
{
    const struct memory_size *s = w->run->size;
    for (size_t i = 0; i < w->words; i++) {
        size_t block = i / s->threads * s->threads, next = block + (i - block + 1) % s->threads;
        w->want[i] = w->in[i] + w->in[i] * (w->which + 3) + w->in[next] + w->few[w->which];
    }
}

static void expect_polynomials(struct work *w)
{
    for (size_t i = 0; i < w->words; i++)
        for (size_t k = w->in_words; k-- > 0;)
            w->want[i] = w->want[i] * (uint32_t)i + w->in[k];
}

static void expect_bins(struct work *w)
{
    size_t threads = w->words / MEMORY_BINS;
    for (size_t k = 0; k < w->in_words; k++)
        w->want[w->in[k] * threads + k % threads]++;
}

static void expect_shared(struct work *w)
{
    size_t words = w->run->size->shared_bytes / sizeof(int);
    for (size_t i = 0; i < w->words; i++)
        w->want[i] = (uint32_t)(3 * (words - 1 - i % words) + i / words);
}

static void prepare(struct work *w)
{
    uint64_t seed = w->run->session->settings.seed;
    enum memory_job job = job_of(w->run->variant);
    w->which = (uint32_t)(seed % CHOICES);
    fill_random(seed + 1, w->few, CHOICES, UINT32_MAX);
    fill_random(seed, w->in, w->in_words, job == FILL_BINS ? MEMORY_BINS - 1 : UINT32_MAX);
    switch (job) {
    case TOUCH_EACH: expect_touches(w); break;
    case THROUGH_SYMBOLS: expect_polynomials(w); break;
    case FILL_BINS: expect_bins(w); break;
    default: expect_shared(w);
    }
}

/* ---- the device ------------------------------------------------------------------------- */

static struct lab_launch launch_of(const struct memory_run *m)
{
    return (struct lab_launch){.module = "memory",
                               .kernel = m->variant->kernel,
                               .grid = {m->size->blocks, 1, 1},
                               .block = {m->size->threads, 1, 1},
                               .shared_bytes = memory_shared(m->variant, m->size),
                               .schedule = m->schedule->name,
                               .seed = m->schedule->seed,
                               .trace = m->trace,
                               .quiet = m->quiet,
                               .counts = m->counts};
}

/* Coefficients, the count of launches and the pointer go to their names; as many launches as
 * asked for, of which *result is the last. */
static int run_symbols(const struct work *w, uint64_t out, struct launch_result *result,
                       struct report *r)
{
    struct session *s = w->run->session;
    const struct lab_launch l = launch_of(w->run);
    const uint32_t none = 0;
    const uint64_t where = w->run->variant->tag & NO_WHERE ? 0 : out;
    if (lab_symbol_store(s, "memory", "coefficient", w->in, w->in_words * sizeof *w->in, r) ||
        lab_symbol_store(s, "memory", "launches", &none, sizeof none, r) ||
        lab_symbol_store(s, "memory", "where", &where, sizeof where, r))
        return -1;
    for (unsigned i = 0; i < w->run->size->launches; i++) {
        if (i > 0)
            launch_result_free(result);
        if (lab_launch(s, &l, result, r, "i", (int)w->in_words))
            return -1;
        if (launch_result_ended(result))
            break;
    }
    return 0;
}

static int run_arrays(const struct work *w, uint64_t out, struct launch_result *result,
                      struct report *r)
{
    struct session *s = w->run->session;
    const struct lab_launch l = launch_of(w->run);
    uint64_t in;
    if (job_of(w->run->variant) == FILL_SHARED)
        return lab_launch(s, &l, result, r, "pi", out,
                          (int)(w->run->size->shared_bytes / sizeof(int)));
    bool bins = job_of(w->run->variant) == FILL_BINS;
    if (!bins && lab_symbol_store(s, "memory", "chosen", w->few, sizeof w->few, r))
        return -1;
    return lab_array(s, w->in_words * sizeof *w->in, bins ? "keys" : "in", w->in, &in, r) ||
                   lab_launch(s, &l, result, r, "ppi", in, out,
                              bins ? (int)w->run->size->keys : (int)w->which)
               ? -1
               : 0;
}

static void judge(const struct work *w, const struct launch_result *result, struct attempt *got)
{
    size_t right = 0;
    for (unsigned i = 0; i < result->fault_count && !got->fault[0]; i++)
        if (!result->faults[i].benign)
            snprintf(got->fault, sizeof got->fault, "%s", result->faults[i].kind);
    for (size_t i = 0; i < w->words; i++)
        right += w->got[i] == w->want[i];
    got->value = (float)right;
    got->error = (double)(w->words - right);
    got->ok = right == w->words && !got->fault[0];
    got->has_counters = result->has_counters;
    got->counters = result->counters;
    got->has_predicted = !w->run->variant->mended_by;
    got->predicted = memory_local_loads(w->run->variant, w->run->size);
    got->median_s = result->runs ? result->measured_s : 0;
    got->min_s = result->min_s;
    got->mean_s = result->mean_s;
    const struct counters *c = &got->counters;
    got->cost = c->global_load_requests + c->global_store_requests + c->local_load_requests +
                c->local_store_requests;
}

static int run_on_device(struct work *w, struct attempt *got, struct launch_result *result,
                         unsigned *launches, struct report *r)
{
    struct session *s = w->run->session;
    uint64_t out;
    bool symbols = job_of(w->run->variant) == THROUGH_SYMBOLS;
    if (lab_array(s, w->words * sizeof *w->got, "out", NULL, &out, r) ||
        (symbols ? run_symbols(w, out, result, r) : run_arrays(w, out, result, r)))
        return -1;
    if (lab_fetch(s, w->got, out, w->words * sizeof *w->got, r) ||
        (symbols && launches &&
         lab_symbol_fetch(s, "memory", "launches", launches, sizeof *launches, r))) {
        launch_result_free(result);
        return -1;
    }
    judge(w, result, got);
    return 0;
}

int memory_run(const struct memory_run *m, struct attempt *got, struct launch_result *result,
               unsigned *launches, struct report *r)
{
    struct launch_result own = {0};
    struct work w = {.run = m,
                     .in_words = words_in(m->variant, m->size),
                     .words = words_out(m->variant, m->size)};
    size_t words = w.in_words + 2 * w.words;
    *got = (struct attempt){0};
    if (result)
        *result = own;
    w.in = mem_get(&allocator_libc, words * sizeof *w.in);
    if (!w.in)
        return report_fail(r, "out of memory; fewer blocks need less");
    w.want = w.in + w.in_words;
    w.got = w.want + w.words;
    prepare(&w);
    int failed = run_on_device(&w, got, result ? result : &own, launches, r);
    mem_put(&allocator_libc, w.in, words * sizeof *w.in);
    if (!result)
        launch_result_free(&own);
    return failed;
}
