/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the kernels of kernels/banks.cu. They fill shared memory in order, word w with w,
 * before the one access that counts.
 */
#include "labs/banks/work.h"

#include "base/mem.h"
#include "screen/paint.h"
#include <stdio.h>

enum { LANES = BANK_LANES, ROOM = LANES * 4 };

static unsigned bytes_of(const struct bank_run *w)
{
    return (unsigned)bank_elements(&w->access) * (unsigned)w->access.bytes;
}

static uint64_t most_bytes(const struct session *s)
{
    const struct device_props *p = &s->device->props;
    return p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block;
}

static bool fits(const struct bank_run *w, const struct session *s)
{
    return !most_bytes(s) || bytes_of(w) <= most_bytes(s);
}

static int check_fits(const struct bank_run *w, const struct session *s, struct report *r)
{
    uint64_t most = most_bytes(s);
    if (fits(w, s))
        return 0;
    return report_fail(r,
                       "that reaches over %u bytes, and a block here has %llu of shared memory: "
                       "with %d bytes an element a stride and pad of %llu together is the most",
                       bytes_of(w), (unsigned long long)most, w->access.bytes,
                       (unsigned long long)((most / (unsigned)w->access.bytes - 1) / (LANES - 1)));
}

/* Did each lane get its words, or leave its mark in its element? Word w holds w before. */
static bool check(const struct bank_run *w, const float *out, int words)
{
    int size = w->access.bytes / 4;
    for (int lane = 0; lane < LANES; lane++) {
        int first = w->access.element[lane] * size;
        float mark = w->access.store && first < words ? -out[first] - 1 : 0;
        if (w->access.store &&
            (mark < 0 || mark >= LANES || w->access.element[(int)mark] != w->access.element[lane]))
            return false;
        for (int k = 0; !w->access.store && k < size; k++)
            if (out[lane * size + k] != (float)(first + k))
                return false;
    }
    return true;
}

/* What the pattern's own access took: the filling before it goes in order, a pass a row. */
static uint64_t passes_counted(const struct bank_run *w, unsigned words)
{
    const struct counters *c = &w->result.counters;
    return w->access.store ? c->shared_store_wavefronts - (words + LANES - 1) / LANES
                           : c->shared_load_wavefronts;
}

int bank_run(struct bank_run *w, struct session *s, struct report *r)
{
    char kernel[24];
    uint64_t index, out;
    unsigned bytes = bytes_of(w);
    unsigned words = bytes / 4, room = w->access.store && words > ROOM ? words : ROOM;
    snprintf(kernel, sizeof kernel, "banks%d%s", w->access.bytes, w->access.store ? "_store" : "");
    const struct lab_launch l = {.module = "banks",
                                 .kernel = kernel,
                                 .grid = {1, 1, 1},
                                 .block = {LANES, 1, 1},
                                 .shared_bytes = bytes,
                                 .counts = true,
                                 .trace = w->trace,
                                 .quiet = w->quiet};
    float *got = mem_alloc(&allocator_libc, room * sizeof *got);
    if (!got)
        return report_fail(r, "out of memory; a smaller stride needs less");
    int failed = check_fits(w, s, r) ||
                 lab_array(s, sizeof w->access.element, "index", w->access.element, &index, r) ||
                 lab_array(s, room * sizeof *got, "out", NULL, &out, r) ||
                 lab_launch(s, &l, &w->result, r, PARAMS(index, out, (int)words));
    if (!failed && launch_result_ended(&w->result)) {
        const struct fault *why = &w->result.faults[w->result.fault_count - 1];
        if (w->quiet)
            report_fault(r, why->kind, "%s", why->message);
        launch_result_free(&w->result);
        failed = -1;
    }
    if (!failed) {
        failed = session_fetch(s, got, out, room * sizeof *got, r);
        w->right = !failed && check(w, got, (int)words);
        w->wavefronts = passes_counted(w, words);
    }
    mem_free(&allocator_libc, got, room * sizeof *got);
    return failed ? -1 : 0;
}

void say_bank_run(const struct bank_run *w, const struct bank_passes *p, struct report *r)
{
    char conflict[40];
    int n = snprintf(conflict, sizeof conflict, "no conflict");
    if (p->degree > 1)
        n = snprintf(conflict, sizeof conflict, "a %d-way conflict", p->degree);
    struct buf verdict = {0};
    buf_printf(&verdict, "%llu wavefront%s", (unsigned long long)w->wavefronts,
               w->wavefronts == 1 ? "" : "s");
    if (w->wavefronts > (uint64_t)p->ideal)
        buf_printf(&verdict, " where %d would do", p->ideal);
    buf_puts(&verdict, ": ");
    paint(r, &verdict, p->degree > 1 ? INK_BAD : INK_GOOD, conflict, (size_t)n);
    say(r, "\n");
    say_item_text(r, "", &verdict);
    say_item(r, "", "predicted %d, %s", p->wavefronts,
             w->access.banks != LANES ? "by arithmetic alone"
             : w->right               ? "and the values are right"
                                      : "BUT THE VALUES ARE WRONG");
}

int say_bank_padding(const struct bank_run *w, const struct bank_pattern *given, int *best,
                     struct session *s, struct report *r)
{
    struct bank_pattern pattern = *given;
    struct bank_run fixed = {.access = w->access, .quiet = true};
    *best = bank_best_pad(&pattern, &fixed.access, BANK_MOST_PAD);
    if (*best < 0 || fixed.access.banks != LANES)
        return 0;
    pattern.pad = *best;
    bank_place(&pattern, &fixed.access);
    if (!fits(&fixed, s)) {
        say_item(r, "", "--pad %d would mend it, but no block here has so much shared memory",
                 *best);
        return 0;
    }
    if (bank_run(&fixed, s, r))
        return -1;
    say_item(r, "", "with --pad %d: %llu, counted too", *best,
             (unsigned long long)fixed.wavefronts);
    launch_result_free(&fixed.result);
    return 0;
}
