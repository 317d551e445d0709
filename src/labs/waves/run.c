/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of kernels/waves.cu: which blocks ran, whether each thread's number is right, and on a
 * GPU where and when.
 */
#include "labs/waves/work.h"

#include "base/mem.h"

struct waves_record { uint64_t begin, end; uint32_t sm, ran; }; /* as in kernels/waves.cu */

/* x after n steps of x = a x + c, by repeated squaring of the step. */
uint32_t waves_after_steps(uint32_t x, uint32_t n)
{
    uint32_t a = 1664525u, c = 1013904223u;
    for (; n; n >>= 1) {
        if (n & 1)
            x = x * a + c;
        c = c * a + c;
        a *= a;
    }
    return x;
}

/* The simulator gives block b to SM b mod sms; a GPU may leave gaps in the numbers of its SMs. */
static bool check(const struct waves *w, bool gpu, const struct waves_record *records,
                  const uint32_t *out)
{
    for (unsigned b = 0; b < w->want.blocks; b++) {
        if (records[b].ran != 1 || (!gpu && records[b].sm != b % w->sms))
            return false;
        for (unsigned t = 0; t < w->want.threads; t++) {
            uint32_t i = b * w->want.threads + t;
            if (out[i] != waves_after_steps(i, w->rounds[b]))
                return false;
        }
    }
    return true;
}

/* On a GPU: microseconds since the first block began; the wave follows from the block's number. */
static void take_times(struct waves *w, const struct waves_record *records)
{
    const unsigned slots = w->sms * w->places;
    uint64_t first = UINT64_MAX;
    for (unsigned b = 0; b < w->want.blocks; b++)
        first = records[b].begin < first ? records[b].begin : first;
    for (unsigned b = 0; b < w->want.blocks; b++)
        w->block[b] = (struct waves_block){records[b].sm, 0, b / slots,
                                           (double)(records[b].begin - first) / 1e3,
                                           (double)(records[b].end - first) / 1e3};
    w->measured = true;
}

static int launch(struct waves *w, struct session *s, bool trace, bool quiet,
                  struct waves_record *records, uint32_t *out, struct report *r)
{
    const struct waves_want *want = &w->want;
    const size_t record_bytes = want->blocks * sizeof *records;
    const size_t out_bytes = (size_t)want->blocks * want->threads * sizeof *out;
    uint64_t rounds_at, records_at, out_at;
    const struct lab_launch l = {.module = "waves", .kernel = "waves_blocks",
                                 .grid = {want->blocks, 1, 1}, .block = {want->threads, 1, 1},
                                 .shared_bytes = want->shared, .schedule = "lockstep",
                                 .trace = trace, .quiet = quiet};
    if (lab_array(s, want->blocks * sizeof *w->rounds, "rounds", w->rounds, &rounds_at, r) ||
        lab_array(s, record_bytes, "record", records, &records_at, r) ||
        lab_array(s, out_bytes, "out", NULL, &out_at, r) ||
        lab_launch(s, &l, &w->result, r, PARAMS(rounds_at, records_at, out_at)))
        return -1;
    return launch_result_ended(&w->result) ||
                   session_fetch(s, records, records_at, record_bytes, r) ||
                   session_fetch(s, out, out_at, out_bytes, r)
               ? -1
               : 0;
}

int waves_run(struct waves *w, const struct waves_want *want, struct session *s, bool trace,
              bool quiet, struct report *r)
{
    if (waves_prepare(w, want, &s->device->props, r))
        return -1;
    const size_t threads = (size_t)want->blocks * want->threads;
    struct waves_record *records = mem_alloc(&allocator_libc, want->blocks * sizeof *records);
    uint32_t *out = mem_alloc(&allocator_libc, threads * sizeof *out);
    int failed = !records || !out ? report_fail_limit(r, "out of memory; fewer blocks need less")
                                  : launch(w, s, trace, quiet, records, out, r);
    if (!failed)
        w->right = check(w, session_on_gpu(s), records, out);
    if (!failed && session_on_gpu(s))
        take_times(w, records);
    else if (!failed)
        failed = waves_place(w, r);
    mem_free(&allocator_libc, records, records ? want->blocks * sizeof *records : 0);
    mem_free(&allocator_libc, out, out ? threads * sizeof *out : 0);
    return failed || waves_sum_up(w, r) ? -1 : 0;
}
