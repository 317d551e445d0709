/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turning pieces around: shapes, what they should cost, one run and its score. The kernels are
 * in kernels/shared.cu.
 */
#include "labs/shared/work.h"

#include "base/mem.h"
#include "labkit/lab.h"
#include <stdio.h>

enum { WARP = 32 };

/* ---- shape ------------------------------------------------------------------------------ */

struct mirror mirror_of(const struct shared_options *o, const struct lab_variant *v)
{
    struct mirror m = {.n = o->n, .threads = o->lab.threads ? (unsigned)o->lab.threads : 256};
    m.piece = v->tag & MIRROR_BIG ? (unsigned)o->piece : m.threads;
    if (v->tag & MIRROR_BIG && !o->n_given)
        m.n = 2 * (int)m.piece;
    m.blocks = ((unsigned)m.n + m.piece - 1) / m.piece;
    m.used = m.piece * sizeof(float) * (v->tag & MIRROR_PAIRS ? 2 : 1);
    m.asked = v->tag & (MIRROR_FIXED | MIRROR_FORGOTTEN) ? 0 : m.used;
    return m;
}

size_t mirror_most(const struct device_props *p)
{
    return (size_t)(p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block);
}

unsigned mirror_fit(const struct device_props *p, size_t bytes)
{
    size_t each = bytes + p->shared_reserved;
    return each ? (unsigned)(p->shared_per_sm / each) : 0;
}

/* The first element of element i's piece, and how many there are. */
static int piece_of(const struct mirror *m, int i, int *base)
{
    int piece = (int)m->piece;
    *base = i / piece * piece;
    return m->n - *base < piece ? m->n - *base : piece;
}

static uint64_t warps(uint64_t threads)
{
    return (threads + WARP - 1) / WARP;
}

/* Stores to shared memory: one of each warp that has an element, over all pieces. */
static uint64_t stores(const struct mirror *m, bool pairs)
{
    uint64_t requests = 0;
    int base;
    for (int i = 0; i < m->n; i += (int)m->piece) {
        uint64_t size = (uint64_t)piece_of(m, i, &base);
        requests += size / m->threads * warps(m->threads) + warps(size % m->threads);
    }
    return requests * (pairs ? 2 : 1);
}

/* ---- one run ---------------------------------------------------------------------------- */

struct arrays_of {
    float *x, *y;
    int *from;
};

static int score(const struct mirror *m, const struct arrays_of *a, bool pairs)
{
    int right = 0, base;
    for (int i = 0; i < m->n; i++) {
        int size = piece_of(m, i, &base), twin = base + size - 1 - (i - base);
        right += a->y[i] == a->x[twin] && (!pairs || a->from[i] == twin);
    }
    return right;
}

static int launch(const struct mirror *m, const struct arrays_of *a, const struct trial *t,
                  struct attempt *got)
{
    const struct lab_variant *v = t->variant;
    size_t bytes = (size_t)m->n * sizeof(float);
    uint64_t x, y, from;
    const struct lab_launch l = {.module = "shared",
                                 .kernel = v->kernel,
                                 .grid = {m->blocks, 1, 1},
                                 .block = {m->threads, 1, 1},
                                 .shared_bytes = m->asked,
                                 .as_written = v->tag & MIRROR_UNASKED};
    int failed = lab_array(t->session, bytes, "x", a->x, &x, t->report) ||
                 lab_array(t->session, bytes, "y", NULL, &y, t->report) ||
                 lab_array(t->session, bytes, "from", NULL, &from, t->report);
    if (!failed && v->tag & MIRROR_PAIRS)
        failed = trial_launch(t, &l, got, PARAMS(x, y, from, m->n));
    else if (!failed && v->tag & MIRROR_BIG)
        failed = trial_launch(t, &l, got, PARAMS(x, y, m->n, (int)m->piece));
    else if (!failed)
        failed = trial_launch(t, &l, got, PARAMS(x, y, m->n));
    return failed || session_fetch(t->session, a->y, y, bytes, t->report) ||
                   session_fetch(t->session, a->from, from, bytes, t->report)
               ? -1
               : 0;
}

/* Is it a launch that its variant is about, on this device? */
static int fits(const struct mirror *m, const struct trial *t, struct attempt *got)
{
    const struct lab_variant *v = t->variant;
    const struct device_props *p = &t->session->device->props;
    unsigned long long most = mirror_most(p), free = p->shared_per_block;
    if (v->tag & MIRROR_UNASKED && m->asked <= free)
        return report_fail(
            t->report,
            "--piece %u is %zu bytes, and %llu come by themselves; %s is about more: "
            "at least --piece %llu",
            m->piece, m->asked, free, v->name, free / sizeof(float) + 1);
    if (v->mended_by && !v->tag && (m->n < 2 || m->piece < 2))
        snprintf(
            got->not_run, sizeof got->not_run,
            "a piece of one element has nobody to wait for; take --threads 2 and -n 2 at least");
    if (v->tag == MIRROR_BIG && m->asked > most)
        snprintf(got->not_run, sizeof got->not_run,
                 "%zu bytes a block are asked for, and %llu are the most here: --piece %llu",
                 m->asked, most, most / sizeof(float));
    return 0;
}

int mirror_run(const struct mirror *m, const struct trial *t, struct attempt *got)
{
    size_t bytes = (size_t)m->n * sizeof(float);
    bool pairs = t->variant->tag & MIRROR_PAIRS;
    got->expected = m->n;
    got->has_predicted = t->variant->mended_by == NULL;
    got->predicted = stores(m, pairs);
    if (fits(m, t, got))
        return -1;
    if (got->not_run[0])
        return 0;
    struct arrays_of a = {mem_alloc(&allocator_libc, bytes), mem_alloc(&allocator_libc, bytes),
                          mem_alloc(&allocator_libc, bytes)};
    int failed =
        a.x && a.y && a.from ? 0 : report_fail(t->report, "out of memory; take a smaller n");
    for (int i = 0; i < m->n && !failed; i++)
        a.x[i] = (float)(i % 1000003 + 1); /* never 0, which y holds before */
    if (!failed)
        failed = launch(m, &a, t, got);
    if (!failed)
        got->value = score(m, &a, pairs);
    got->right = got->value == got->expected;
    mem_free(&allocator_libc, a.x, bytes);
    mem_free(&allocator_libc, a.y, bytes);
    mem_free(&allocator_libc, a.from, bytes);
    return failed;
}
