/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The matrices on the host, and what their product should be: each element in double, with the sum
 * of its products' absolute values, from which the bound of its rounding follows.
 */
#include "labs/matmul/work.h"

#include "base/half.h"
#include "base/rounding.h"
#include "labkit/floats.h"
#include "labkit/lab.h"
#include "labkit/loop.h"
#include "labkit/shape.h"

static size_t elements(int rows, int cols)
{
    return (size_t)rows * (size_t)cols;
}

static float *floats(size_t n)
{
    return mem_alloc(&allocator_libc, n * sizeof(float));
}

/* The plain loops take too long for large matrices. Then only some rows are checked. */
static int rows_to_check(struct matmul_size s)
{
    enum { MOST = 1 << 28, LEAST = 8 };
    size_t row = elements(s.n, s.k), rows = MOST / row;
    rows = rows < LEAST ? LEAST : rows;
    return rows < (size_t)s.m ? (int)rows : s.m;
}

static int row_checked(const struct matmul_data *d, int i)
{
    return d->rows == d->size.m ? i : (int)((int64_t)i * (d->size.m - 1) / (d->rows - 1));
}

/* One row of C, k outside so that all accesses go along rows. */
static void multiply_row(const struct matmul_data *d, int row, double *exact, double *magnitude)
{
    const int n = d->size.n, k = d->size.k;
    const float *a = d->a + elements(row, k);
    for (int i = 0; i < k; i++) {
        const float *b = d->b + elements(i, n);
        const double factor = (double)a[i];
        for (int j = 0; j < n; j++) {
            const double product = factor * (double)b[j];
            exact[j] += product;
            magnitude[j] += magnitude_of(product);
        }
    }
}

struct multiplying {
    const struct matmul_data *d;
    struct matmul_want *to;
    int rows; /* of a part */
};

static int multiply_part(void *self, uint64_t part, void *made, struct err *e)
{
    const struct multiplying *m = self;
    const int first = (int)part * m->rows;
    (void)made, (void)e;
    for (int i = first; i < first + m->rows && i < m->d->rows; i++) {
        const size_t at = elements(i, m->d->size.n);
        multiply_row(m->d, row_checked(m->d, i), m->to->exact + at, m->to->magnitude + at);
    }
    return 0;
}

static int multiply(const struct matmul_data *d, struct matmul_want *to, struct session *s,
                    struct report *r)
{
    enum { PRODUCTS = 1 << 20 }; /* of a part, at least */
    const size_t bytes = elements(d->rows, d->size.n) * sizeof(double);
    const size_t in_row = elements(d->size.n, d->size.k);
    struct multiplying m = {d, to, in_row < PRODUCTS ? (int)(PRODUCTS / in_row) : 1};
    to->exact = mem_alloc(&allocator_libc, bytes); /* zeroed */
    to->magnitude = mem_alloc(&allocator_libc, bytes);
    if (!to->exact || !to->magnitude)
        return report_fail_limit(r, "out of memory; a smaller n needs less");
    return lab_do_parts(s, &(struct parts){.count = divide_up((uint64_t)d->rows, (uint64_t)m.rows),
                                           .self = &m, .make = multiply_part}, r);
}

static int check_range(const struct matmul_data *d, struct report *r)
{
    const double most = 3e38; /* of a float */
    for (size_t i = 0; i < elements(d->rows, d->size.n); i++)
        if (!(d->want.magnitude[i] <= most))
            return report_fail(r, "an element of C is too large for a float; take smaller values "
                                  "for -a or -b");
    return 0;
}

static void want_free(struct matmul_want *w, size_t bytes)
{
    mem_free(&allocator_libc, w->exact, w->exact ? bytes : 0);
    mem_free(&allocator_libc, w->magnitude, w->magnitude ? bytes : 0);
    *w = (struct matmul_want){NULL, NULL};
}

static int check_room(struct matmul_size z, const struct session *s, struct report *r)
{
    const struct device_props *p = &s->device->props;
    char wants[NUM_TEXT], has[NUM_TEXT];
    enum { BESIDES = 1 << 20 };
    uint64_t bytes =
        (elements(z.m, z.k) + elements(z.k, z.n) + elements(z.m, z.n)) * sizeof(float);
    if (!p->global_bytes || bytes + BESIDES <= p->global_bytes)
        return 0;
    return report_fail(r, "three matrices take %s bytes, and this device has %s; take a smaller n",
                       num_group((int64_t)bytes, wants), num_group((int64_t)p->global_bytes, has));
}

int matmul_open(struct matmul_data *d, struct matmul_size z, const char *const fill[2],
                uint64_t seed, struct session *s, struct report *r)
{
    size_t in_a = elements(z.m, z.k), in_b = elements(z.k, z.n), in_c = elements(z.m, z.n);
    *d = (struct matmul_data){.size = z, .rows = rows_to_check(z)};
    if (check_room(z, s, r))
        return -1;
    d->a = floats(in_a);
    d->b = floats(in_b);
    d->c = floats(in_c);
    if (!d->a || !d->b || !d->c)
        return report_fail_limit(r, "out of memory; a smaller n needs less");
    return floats_fill(s, "a", fill[0], seed, d->a, in_a, r) ||
                   floats_fill(s, "b", fill[1], seed + 1, d->b, in_b, r) ||
                   multiply(d, &d->want, s, r) || check_range(d, r)
               ? -1
               : 0;
}

void matmul_close(struct matmul_data *d)
{
    struct matmul_size z = d->size;
    size_t in_a = elements(z.m, z.k), in_b = elements(z.k, z.n), in_c = elements(z.m, z.n);
    size_t checked = elements(d->rows, z.n) * sizeof(double);
    mem_free(&allocator_libc, d->a, d->a ? in_a * sizeof *d->a : 0);
    mem_free(&allocator_libc, d->b, d->b ? in_b * sizeof *d->b : 0);
    mem_free(&allocator_libc, d->c, d->c ? in_c * sizeof *d->c : 0);
    mem_free(&allocator_libc, d->half_a, d->half_a ? in_a * sizeof *d->half_a : 0);
    mem_free(&allocator_libc, d->half_b, d->half_b ? in_b * sizeof *d->half_b : 0);
    want_free(&d->want, checked);
    want_free(&d->want_half, checked);
    *d = (struct matmul_data){.rows = 0};
}

/* ---- f16 -------------------------------------------------------------------------------- */

/* As f16, and the same back in floats. */
struct halving {
    const float *from;
    uint16_t *to;
    float *back;
    size_t n;
    bool fits;
};
enum { HALVES = 1 << 16 }; /* of a part */

static int halve_part(void *self, uint64_t part, void *made, struct err *e)
{
    const struct halving *h = self;
    const size_t first = (size_t)part * HALVES;
    bool *fits = made;
    (void)e;
    *fits = true;
    for (size_t i = first; i < first + HALVES && i < h->n; i++) {
        h->to[i] = half_from_double((double)h->from[i]);
        h->back[i] = (float)half_to_double(h->to[i]);
        *fits = *fits && is_finite((double)h->back[i]);
    }
    return 0;
}

static int note_fit(void *self, uint64_t part, const void *made, struct err *e)
{
    struct halving *h = self;
    (void)part, (void)e;
    h->fits = h->fits && *(const bool *)made;
    return 0;
}

static int to_half(const float *from, uint16_t *to, float *back, size_t n, struct session *s,
                   bool *fits, struct report *r)
{
    struct halving h = {from, to, back, n, true};
    int failed = lab_do_parts(s, &(struct parts){.count = divide_up(n, HALVES),
                                                 .bytes = sizeof(bool), .self = &h,
                                                 .make = halve_part, .take = note_fit}, r);
    *fits = *fits && h.fits;
    return failed;
}

static void compare_wants(struct matmul_data *d)
{
    for (size_t i = 0; i < elements(d->rows, d->size.n); i++) {
        double off = magnitude_of(d->want_half.exact[i] - d->want.exact[i]);
        d->half_off = off > d->half_off ? off : d->half_off;
    }
}

/* With floats that f16 has as well, the same loops say what a product of such matrices is. */
static int multiply_halves(struct matmul_data *d, float *a, float *b, struct session *s,
                           struct report *r)
{
    struct matmul_data rounded = *d;
    size_t in_a = elements(d->size.m, d->size.k), in_b = elements(d->size.k, d->size.n);
    rounded.a = a;
    rounded.b = b;
    d->fits_half = true;
    if (to_half(d->a, d->half_a, a, in_a, s, &d->fits_half, r) ||
        to_half(d->b, d->half_b, b, in_b, s, &d->fits_half, r))
        return -1;
    if (!d->fits_half)
        return 0;
    if (multiply(&rounded, &d->want_half, s, r))
        return -1;
    compare_wants(d);
    return 0;
}

int matmul_need_half(struct matmul_data *d, struct session *s, struct report *r)
{
    size_t in_a = elements(d->size.m, d->size.k), in_b = elements(d->size.k, d->size.n);
    if (d->half_a)
        return 0;
    float *a = floats(in_a), *b = floats(in_b);
    d->half_a = mem_alloc(&allocator_libc, in_a * sizeof *d->half_a);
    d->half_b = mem_alloc(&allocator_libc, in_b * sizeof *d->half_b);
    int failed = a && b && d->half_a && d->half_b
                     ? multiply_halves(d, a, b, s, r)
                     : report_fail_limit(r, "out of memory; a smaller n needs less");
    mem_free(&allocator_libc, a, a ? in_a * sizeof *a : 0);
    mem_free(&allocator_libc, b, b ? in_b * sizeof *b : 0);
    return failed;
}

/* ---- the verdict ------------------------------------------------------------------------ */

/* Below the least normal float, a rounding is as large as half of the least float. */
static double bound(double chain, double magnitude)
{
    const double least = 1.0 / (1 << 24) / (1 << 25) / ((uint64_t)1 << 50) / ((uint64_t)1 << 50);
    return rounding_bound(chain, magnitude) + chain * least;
}

void matmul_judge(const struct matmul_data *d, const struct matmul_want *want, double chain,
                  struct attempt *got)
{
    double sum = 0;
    got->wrong = 0;
    for (int i = 0; i < d->rows; i++)
        for (int j = 0; j < d->size.n; j++) {
            size_t at = elements(i, d->size.n) + (size_t)j;
            double is = (double)d->c[elements(row_checked(d, i), d->size.n) + (size_t)j];
            double off = is - want->exact[at];
            sum += off * off;
            got->wrong += !(magnitude_of(off) <= bound(chain, want->magnitude[at]));
        }
    got->value = __builtin_sqrt(sum);
    got->expected = 0;
    got->error = got->value;
    got->right = got->wrong == 0;
}
