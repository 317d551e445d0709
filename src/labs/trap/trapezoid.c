/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The trapezoidal rule on the host: references in float and in double, the bound between
 * them, and a student's function put into a module's PTX.
 *
 * The kernels' compilers fuse a product and the sum after it, so that only the sum rounds.
 * Here such a pair is worked out in double, where floats leave room, and rounded to float
 * once; so the terms summed here are the kernels' own.
 */
#include "labs/trap/trapezoid.h"

#include "labkit/loop.h"
#include "labkit/patch.h"
#include "base/mem.h"
#include "base/rounding.h"

enum { PART = 1 << 14 }; /* terms worked out together */

/* ---- the function ---------------------------------------------------------------------- */

int integrand_open(struct integrand *f, const char *text, struct report *r)
{
    struct expr_error e;
    f->typed = NULL;
    f->text = "x^2 + 1";
    if (!text)
        return 0;
    if (expr_parse(text, &f->typed, &e))
        return report_fail(r, "-f %s: column %d: %s", text, e.column, e.text);
    f->text = expr_text(f->typed);
    return 0;
}

void integrand_close(struct integrand *f)
{
    if (f->typed)
        expr_free(f->typed);
    f->typed = NULL;
}

static float integrand_f32(const struct integrand *f, float x)
{
    if (f->typed)
        return (float)expr_eval(f->typed, (double)x);
    return (float)((double)x * x + 1.0);
}

static double integrand_f64(const struct integrand *f, double x)
{
    return f->typed ? expr_eval(f->typed, x) : x * x + 1.0;
}

/* ---- into the PTX ---------------------------------------------------------------------- */

int integrand_load(const struct integrand *f, struct session *s, const char *module,
                   const char *function, struct report *r)
{
    struct buf body = {0};
    int failed = expr_ptx(f->typed, function, &body)
                     ? report_fail_limit(r, "out of memory; a shorter -f needs less")
                     : module_patch(s, module, function, &body, r);
    buf_free(&body);
    return failed;
}

/* ---- the answers ----------------------------------------------------------------------- */

static bool float_fits(double v)
{
    return magnitude_of(v) <= 3.4028234663852886e38;
}

/*
 * What the sums below are made of: f at the points of one part, in float and in double. A typed
 * function is slow to work out, so its double is taken at the same rounded x.
 */
struct terms {
    float in_float[PART];
    double in_double[PART];
};

struct rule {
    const struct integrand *f;
    struct trapezoid *t;
    double a, h;             /* the interval's start, the width of a trapezoid */
    float chain;             /* the sums: of the float terms in float, */
    double terms, size, sum; /* and in double; of their magnitudes; of the terms in double */
};

static double point(const struct rule *r, int i)
{
    return r->f->typed ? (double)(float)((double)i * r->t->h + r->t->a) : r->a + i * r->h;
}

static int no_term(const struct rule *r, double x, struct err *e)
{
    return fail(e, "f(x) = %s is not a finite float at x = %.9g, one of the %lld points; choose "
                   "another interval or n", r->f->text, x, (long long)r->t->n + 1);
}

/* The terms of points i to i + count - 1. The loop over the kernels' own f calls nothing and
 * leaves nowhere, so that the compiler can make it a loop over vectors. */
static int take_terms(const struct rule *r, int i, int count, struct terms *out, struct err *e)
{
    const struct integrand *f = r->f, own = {.typed = NULL};
    const double step = r->t->h, first = r->t->a, a = r->a, h = r->h;
    bool finite = true;
    for (int k = 0, of = f->typed ? 0 : count; k < of; k++) {
        out->in_float[k] = integrand_f32(&own, (float)((double)(i + k) * step + first));
        out->in_double[k] = integrand_f64(&own, a + (i + k) * h);
    }
    for (int k = 0; k < count && f->typed; k++) {
        out->in_double[k] = integrand_f64(f, point(r, i + k));
        out->in_float[k] = (float)out->in_double[k];
    }
    for (int k = 0; k < count; k++) {
        finite &= is_finite(out->in_double[k]);
        finite &= is_finite((double)out->in_float[k]);
    }
    for (int k = 0; k < count && !finite; k++)
        if (!is_finite(out->in_double[k]) || !is_finite((double)out->in_float[k]))
            return no_term(r, point(r, i + k), e);
    return 0;
}

/* Part 0 begins with point 1. */
static int terms_in(const struct rule *r, uint64_t part)
{
    const int left = r->t->n - 1 - (int)part * PART;
    return left < PART ? left : PART;
}

static int make_terms(void *self, uint64_t part, void *made, struct err *e)
{
    const struct rule *r = self;
    return take_terms(r, 1 + (int)part * PART, terms_in(r, part), made, e);
}

/* In the order of i. An addition needs the one before: nothing else takes as long. */
static int add_terms(void *self, uint64_t part, const void *made, struct err *e)
{
    struct rule *r = self, sums = *r;
    const struct terms *now = made;
    const int count = terms_in(r, part);
    (void)e;
    for (int k = 0; k < count; k++) {
        sums.chain += now->in_float[k];
        sums.terms += (double)now->in_float[k];
        sums.size += magnitude_of((double)now->in_float[k]);
        sums.sum += now->in_double[k];
    }
    *r = sums;
    return 0;
}

static int add_up(const struct integrand *f, struct trapezoid *t, double a, double b,
                  struct session *s, struct report *report)
{
    struct rule r = {.f = f, .t = t, .a = a, .h = (b - a) / t->n};
    struct terms *ends = mem_alloc(&allocator_libc, 2 * sizeof *ends);
    struct err e = {0};
    if (!ends)
        return report_fail_limit(report, "out of memory");
    int failed = take_terms(&r, 0, 1, &ends[0], &e) || take_terms(&r, t->n, 1, &ends[1], &e);
    r.sum = 0.5 * (ends[0].in_double[0] + ends[1].in_double[0]);
    mem_free(&allocator_libc, ends, 2 * sizeof *ends);
    if (failed)
        return report_fail_err(report, &e);
    t->start = 0.5f * (integrand_f32(f, t->a) + integrand_f32(f, t->b));
    r.chain = t->start;
    r.terms = (double)t->start;
    r.size = magnitude_of((double)t->start);
    const struct parts parts = {.count = (uint64_t)((t->n - 1 + PART - 1) / PART), .self = &r,
                                .bytes = sizeof(struct terms), .make = make_terms,
                                .take = add_terms};
    if (lab_do_parts(s, &parts, report))
        return -1;
    t->in_order = t->h * r.chain;
    t->in_double = r.h * r.sum;
    t->terms_off = magnitude_of((double)t->h * r.terms - t->in_double);
    t->magnitude = magnitude_of((double)t->h) * r.size;
    return 0;
}

int trapezoid_solve(const struct integrand *f, double a, double b, int n, struct session *s,
                    struct trapezoid *t, struct report *r)
{
    enum { PIECES = 1000 };
    if (!float_fits(a) || !float_fits(b) || !float_fits(b - a))
        return report_fail(r, "a and b, and b - a, must be floats: at most 3.4e38 in size");
    /* From here on a and b are what the kernels get: the floats nearest to what was typed. */
    *t = (struct trapezoid){.a = (float)a, .b = (float)b, .n = n};
    float width = t->b - t->a;
    t->h = width / (float)n;
    a = (double)t->a;
    b = (double)t->b;
    t->exact = f->typed ? expr_integral(f->typed, a, b, PIECES, NULL)
                        : (b * b * b - a * a * a) / 3 + (b - a);
    return add_up(f, t, a, b, s, r);
}

double trapezoid_bound(const struct trapezoid *t, double chain)
{
    return t->terms_off + rounding_bound(chain + 2, t->magnitude);
}
