/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The systems, their room, and one run.
 */
#include "labs/ldlt/work.h"

#include "base/rounding.h"
#include "labkit/lab.h"

#include <stdio.h>

enum { WARP = 32, MOST_FLOATS = 1 << 26 };

unsigned ldlt_half(int n)
{
    return (unsigned)(n * (n + 1) / 2);
}

/* ---- the systems ------------------------------------------------------------------------ */

/* Each matrix has ones on the diagonal and one other number everywhere else, as in the exercise. */
static double off_diagonal(int system)
{
    return (double)(1.0f / (1.1f + (float)system));
}

/* How much rounding errors can grow: the largest eigenvalue by the smallest. */
static double condition(int n, int system)
{
    double rho = off_diagonal(system);
    return n > 1 ? (1 + (n - 1) * rho) / (1 - rho) : 1;
}

/* The same method in double, in x; m has room for the lower half. */
static void solve(double *m, double *x, int n, double rho)
{
    for (int i = 0; i < n; i++) {
        double *row = m + ldlt_half(i);
        for (int j = 0; j <= i; j++)
            row[j] = i == j ? 1 : rho;
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++)
                row[j] -= row[k] * m[ldlt_half(j) + (unsigned)k];
        for (int j = 0; j < i; j++) {
            double l = row[j] / m[ldlt_half(j) + (unsigned)j];
            row[i] -= row[j] * l;
            row[j] = l;
        }
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            x[i] -= m[ldlt_half(i) + (unsigned)k] * x[k];
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= m[ldlt_half(i) + (unsigned)i];
        for (int k = i + 1; k < n; k++)
            x[i] -= m[ldlt_half(k) + (unsigned)i] * x[k];
    }
}

static int fill(struct ldlt_data *d, struct session *s, struct report *r)
{
    size_t n = (size_t)d->n, bytes = ldlt_half(d->n) * sizeof(double);
    double *m = mem_alloc(&allocator_libc, bytes);
    int failed = m ? 0 : report_fail_limit(r, "out of memory; a smaller --dim needs less");
    for (size_t k = 0; k < (size_t)d->systems && !failed; k++) {
        float rho = (float)off_diagonal((int)k);
        for (size_t e = 0; e < n * n; e++)
            d->a[k * n * n + e] = e / n == e % n ? 1 : rho;
        for (size_t i = 0; i < n; i++) {
            d->y[k * n + i] = 0.5f * (float)i;
            d->want[k * n + i] = 0.5 * (double)i;
        }
        solve(m, d->want + k * n, d->n, (double)rho);
        failed = lab_host_goes_on(s, r);
    }
    mem_free(&allocator_libc, m, m ? bytes : 0);
    return failed ? -1 : 0;
}

int ldlt_open(struct ldlt_data *d, struct session *s, int n, int systems, struct report *r)
{
    char wants[NUM_TEXT], has[NUM_TEXT];
    uint64_t size = (uint64_t)n * (uint64_t)n * (uint64_t)systems;
    uint64_t card = s->device->props.global_bytes;
    size_t vectors = (size_t)n * (size_t)systems;
    *d = (struct ldlt_data){.n = n, .systems = systems};
    if (size > MOST_FLOATS)
        return report_fail(r, "%d matrices of %d x %d are %s floats; at most 67,108,864 are solved "
                              "here, so take fewer --systems", systems, n, n,
                           num_group((int64_t)size, wants));
    if (card && 8 * size > card)
        return report_fail(r, "the matrices and their work take up to %s bytes, and this device "
                              "has %s; take fewer --systems", num_group((int64_t)(8 * size), wants),
                           num_group((int64_t)card, has));
    d->a = mem_alloc(&allocator_libc, (size_t)size * sizeof *d->a);
    d->y = mem_alloc(&allocator_libc, vectors * sizeof *d->y);
    d->got = mem_alloc(&allocator_libc, vectors * sizeof *d->got);
    d->want = mem_alloc(&allocator_libc, vectors * sizeof *d->want);
    if (!d->a || !d->y || !d->got || !d->want)
        return report_fail_limit(r, "out of memory; fewer --systems need less");
    return fill(d, s, r);
}

void ldlt_close(struct ldlt_data *d)
{
    size_t n = (size_t)d->n, vectors = n * (size_t)d->systems;
    mem_free(&allocator_libc, d->a, d->a ? vectors * n * sizeof *d->a : 0);
    mem_free(&allocator_libc, d->y, d->y ? vectors * sizeof *d->y : 0);
    mem_free(&allocator_libc, d->got, d->got ? vectors * sizeof *d->got : 0);
    mem_free(&allocator_libc, d->want, d->want ? vectors * sizeof *d->want : 0);
    *d = (struct ldlt_data){.n = 0};
}

/* ---- room ------------------------------------------------------------------------------- */

static uint64_t most_bytes(const struct device_props *p)
{
    return p->shared_per_block_optin ? p->shared_per_block_optin : p->shared_per_block;
}

unsigned ldlt_threads_in(unsigned floats, uint64_t bytes)
{
    return (unsigned)(bytes / (floats * sizeof(float)));
}

/* Whole warps, a warp at least, or as many threads as fit. */
static unsigned usual_threads(const struct lab_variant *v, const struct ldlt_task *t,
                              const struct device_props *p)
{
    unsigned fit = ldlt_threads_in(t->floats, most_bytes(p));
    unsigned many = (ldlt_threads_in(t->floats, LDLT_48K) / WARP + 1) * WARP;
    unsigned limit = p->max_threads_per_block > 0 ? (unsigned)p->max_threads_per_block : many;
    if (v->tag & LDLT_MANY)
        return many < limit ? many : limit;
    return v->tag & LDLT_GLOBAL || fit >= WARP || !fit ? WARP : fit;
}

void ldlt_choose(const struct lab_variant *v, int n, int systems, int threads,
                 const struct device_props *p, struct ldlt_task *t)
{
    unsigned whole = ldlt_half(n) + (unsigned)n;
    *t = (struct ldlt_task){.n = n, .systems = systems};
    t->floats = v->tag & LDLT_PADDED ? whole | 1 : whole;
    t->shape.threads = threads ? (unsigned)threads : usual_threads(v, t, p);
    t->shape.blocks = (unsigned)divide_up((uint64_t)systems, t->shape.threads);
    if (!(v->tag & LDLT_GLOBAL))
        t->bytes = (uint64_t)t->shape.threads * sizeof(float) *
                   (v->tag & LDLT_SHORT ? ldlt_half(n) : t->floats);
}

const char *ldlt_closed(const struct lab_variant *v, const struct ldlt_task *t,
                        const struct device_props *p, char out[160])
{
    uint64_t most = most_bytes(p);
    uint64_t busy = (uint64_t)t->systems < t->shape.threads ? (uint64_t)t->systems
                                                            : t->shape.threads;
    char bytes[NUM_TEXT], limit[NUM_TEXT];
    num_group((int64_t)t->bytes, bytes);
    num_group((int64_t)most, limit);
    out[0] = '\0';
    unsigned many = ldlt_threads_in(t->floats, LDLT_48K) + 1;
    if (v->tag & LDLT_MANY && p->max_threads_per_block &&
        many > (unsigned)p->max_threads_per_block)
        snprintf(out, 160, "the %d threads that a block can have need less than 48 KiB; take a "
                           "larger --dim", p->max_threads_per_block);
    else if (v->tag & LDLT_MANY && t->bytes <= LDLT_48K)
        snprintf(out, 160, "%u threads take %s bytes, which fit in 48 KiB; take at least %u "
                           "--threads", t->shape.threads, bytes, many);
    else if (!(v->tag & LDLT_UNASKED) && t->bytes > most && ldlt_threads_in(t->floats, most))
        snprintf(out, 160, "%u threads take %.26s bytes, and a block has at most %.26s here; "
                           "take at most %u --threads", t->shape.threads, bytes, limit,
                 ldlt_threads_in(t->floats, most));
    else if (!(v->tag & LDLT_UNASKED) && t->bytes > most)
        snprintf(out, 160, "one system takes %u floats, and a block has at most %s bytes of shared "
                           "memory here; --variant global needs none", t->floats, limit);
    else if (v->tag & LDLT_SHORT && busy * t->floats * sizeof(float) <= t->bytes)
        snprintf(out, 160, "so few threads of the block have a system that there is room for them; "
                           "take %u --systems", t->shape.threads);
    else if (v->tag & LDLT_ODD && (unsigned)t->systems % t->shape.threads == 0)
        snprintf(out, 160, "each of the threads has a system, so it is right; take other "
                           "--systems, for example %d", t->systems + 1);
    return out[0] ? out : NULL;
}

/* ---- one run ---------------------------------------------------------------------------- */

static int launch(const struct trial *how, const struct ldlt_task *t, uint64_t a, uint64_t y,
                  struct attempt *got)
{
    const struct lab_variant *v = how->variant;
    const struct lab_launch l = {.module = "ldlt", .kernel = v->kernel, .grid = {t->shape.blocks},
                                 .block = {t->shape.threads}, .shared_bytes = t->bytes,
                                 .together = true, .as_written = v->tag & LDLT_UNASKED};
    uint64_t work;
    if (v->tag & LDLT_ODD)
        return trial_launch(how, &l, got, PARAMS(a, y, t->n));
    if (!(v->tag & LDLT_GLOBAL))
        return trial_launch(how, &l, got, PARAMS(a, y, t->n, t->systems));
    if (lab_array(how->session, (uint64_t)t->systems * t->floats * sizeof(float), "work", NULL,
                  &work, how->report))
        return -1;
    return trial_launch(how, &l, got, PARAMS(a, y, t->n, t->systems, work));
}

/* Rounding errors grow with the condition; what is larger is no rounding error. */
static void judge(const struct ldlt_data *d, struct attempt *got)
{
    double sum = 0, largest = 0;
    size_t n = (size_t)d->n;
    for (size_t k = 0; k < (size_t)d->systems; k++) {
        double size = 0, off = 0;
        bool finite = true;
        for (size_t i = k * n; i < (k + 1) * n; i++) {
            double e = (double)d->got[i] - d->want[i];
            size = magnitude_of(d->want[i]) > size ? magnitude_of(d->want[i]) : size;
            off = magnitude_of(e) > off ? magnitude_of(e) : off;
            finite = finite && is_finite(e);
            sum += e * e;
        }
        got->wrong += !finite || off > rounding_bound(4 * d->n * condition(d->n, (int)k), size);
        largest = off > largest ? off : largest;
    }
    got->value = __builtin_sqrt(sum);
    got->error = largest;
    got->right = got->wrong == 0;
}

int ldlt_run(const struct trial *how, const struct ldlt_task *t, struct ldlt_data *d,
             struct attempt *got)
{
    size_t vectors = (size_t)t->n * (size_t)t->systems * sizeof(float);
    uint64_t a, y;
    if (lab_array(how->session, vectors * (size_t)t->n, "a", d->a, &a, how->report) ||
        lab_array(how->session, vectors, "y", d->y, &y, how->report))
        return -1;
    int failed = launch(how, t, a, y, got) ||
                 session_fetch(how->session, d->got, y, vectors, how->report);
    lab_arrays_free(how->session);
    if (failed)
        return -1;
    judge(d, got);
    if (got->has_counters)
        got->cost = got->counters.warp_instructions + got->counters.shared_load_wavefronts +
                    got->counters.global_load_sectors;
    return 0;
}
