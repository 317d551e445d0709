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

#include "labkit/patch.h"
#include "base/rounding.h"
#include <string.h>
#include <time.h>

enum {
    RUN = 64,               /* terms worked out together */
    LOOK_UP_EVERY = 1 << 16 /* terms between two looks at the clock, so many runs */
};

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
                     ? report_fail(r, "out of memory; a shorter -f needs less")
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
 * What the sums below are made of: f at a run of points, in float and in double. A typed function
 * is slow to work out, so its double is taken at the same rounded x.
 */
struct terms {
    float in_float[RUN];
    double in_double[RUN];
};

static double point(const struct integrand *f, const struct trapezoid *t, int i, double a,
                    double h)
{
    return f->typed ? (double)(float)((double)i * t->h + t->a) : a + i * h;
}

static int no_term(const struct integrand *f, const struct trapezoid *t, double x,
                   struct report *r)
{
    return report_fail(r,
                       "f(x) = %s is not a finite float at x = %.9g, one of the %lld points; "
                       "choose another interval or n",
                       f->text, x, (long long)t->n + 1);
}

/* The terms of points i to i + count - 1. The loop over the kernels' own f calls nothing and
 * leaves nowhere, so that the compiler can make it a loop over vectors. */
static int take_terms(const struct integrand *f, const struct trapezoid *t, int i, int count,
                      double a, double h, struct terms *out, struct report *r)
{
    const struct integrand own = {.typed = NULL};
    const double step = t->h, first = t->a;
    bool finite = true;
    for (int k = 0, of = f->typed ? 0 : count; k < of; k++) {
        out->in_float[k] = integrand_f32(&own, (float)((double)(i + k) * step + first));
        out->in_double[k] = integrand_f64(&own, a + (i + k) * h);
    }
    for (int k = 0; k < count && f->typed; k++) {
        out->in_double[k] = integrand_f64(f, point(f, t, i + k, a, h));
        out->in_float[k] = (float)out->in_double[k];
    }
    for (int k = 0; k < count; k++) {
        finite &= is_finite(out->in_double[k]);
        finite &= is_finite((double)out->in_float[k]);
    }
    for (int k = 0; k < count && !finite; k++)
        if (!is_finite(out->in_double[k]) || !is_finite((double)out->in_float[k]))
            return no_term(f, t, point(f, t, i + k, a, h), r);
    return 0;
}

static int add_up(const struct integrand *f, struct trapezoid *t, double a, double b,
                  struct session *s, struct report *r)
{
    double h = (b - a) / t->n;
    struct terms left, right, now;
    if (take_terms(f, t, 0, 1, a, h, &left, r) || take_terms(f, t, t->n, 1, a, h, &right, r))
        return -1;
    t->start = 0.5f * (integrand_f32(f, t->a) + integrand_f32(f, t->b));
    float chain = t->start;
    double terms = (double)t->start, sum = 0.5 * (left.in_double[0] + right.in_double[0]);
    double size = magnitude_of((double)t->start);
    for (int i = 1, count; i < t->n; i += count) {
        count = t->n - i < RUN ? t->n - i : RUN;
        if (take_terms(f, t, i, count, a, h, &now, r))
            return -1;
        for (int k = 0; k < count; k++) {
            chain += now.in_float[k];
            terms += (double)now.in_float[k];
            size += magnitude_of((double)now.in_float[k]);
            sum += now.in_double[k];
        }
        if ((i - 1) % LOOK_UP_EVERY == 0 && lab_host_goes_on(s, r))
            return -1;
    }
    t->in_order = t->h * chain;
    t->in_double = h * sum;
    t->terms_off = magnitude_of((double)t->h * terms - t->in_double);
    t->magnitude = magnitude_of((double)t->h) * size;
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
