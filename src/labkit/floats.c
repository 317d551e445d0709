/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Making the floats, and adding them up on the host.
 */
#include "labkit/floats.h"

#include "base/rounding.h"
#include "own/fill.h"

/* ---- making them ------------------------------------------------------------------------ */

struct float_option { const char *name, *text; };

static int check(const void *option, const void *made, uint64_t done, uint64_t n, struct err *e)
{
    const double most = 1e18; /* so that no sum and no product of two leaves a float's range */
    const struct float_option *o = option;
    const float *x = made;
    for (uint64_t i = 0; i < n; i++)
        if (!(magnitude_of((double)x[i]) <= most))
            return fail(e, "--%s %.60s: element %llu is %g; they can be added up to 1e18 in size",
                        o->name, o->text, (unsigned long long)(done + i), (double)x[i]);
    return 0;
}

int floats_fill(struct session *s, const char *name, const char *text, uint64_t seed, float *to,
                uint64_t n, struct report *r)
{
    const struct float_option option = {name, text};
    struct fill f;
    struct err e;
    const uint64_t dims[3] = {n};
    if (fill_parse(&f, text, ELEMENT_F32, &e) != 0)
        return report_fail_err(r, &e);
    int failed = fill_shape(&f, "the array", dims, n, &e) ? report_fail_err(r, &e) : 0;
    if (f.kind == FILL_FILE)
        failed = report_fail(r, "--%s %.60s: a lab reads no files; `array` and `launch` do", name,
                             text);
    else if (!failed && f.value_count > n)
        failed = report_fail(r, "--%s %.60s: %llu values, and there are %llu elements", name, text,
                             (unsigned long long)f.value_count, (unsigned long long)n);
    if (!failed)
        failed = fill_memory(s, &f, seed, 0, n, to, check, &option, r);
    fill_free(&f);
    return failed ? -1 : 0;
}

/* ---- adding them up --------------------------------------------------------------------- */

enum { AT_ONCE = 1 << 16 }; /* elements between two looks at the clock */

/* Each addition needs the one before, so one core does them all. The loop calls nothing and has no
 * branch: nothing else in it takes as long as an addition. */
static void add_terms(const float *x, const float *y, uint64_t from, uint64_t to,
                      struct float_sum *out)
{
    struct float_sum all = *out;
    for (uint64_t i = from; i < to; i++) {
        const double term = y ? (double)x[i] * (double)y[i] : (double)x[i];
        const float next = all.in_order + (float)term;
        all.last = next != all.in_order ? i + 1 : all.last;
        all.in_order = next;
        all.exact += term;
        all.magnitude += magnitude_of(term);
    }
    *out = all;
}

int floats_sum(const float *x, const float *y, uint64_t n, struct session *s,
               struct float_sum *out, struct report *r)
{
    *out = (struct float_sum){0};
    for (uint64_t from = 0, to; from < n; from = to) {
        to = n - from < AT_ONCE ? n : from + AT_ONCE;
        add_terms(x, y, from, to, out);
        if (lab_host_goes_on(s, r))
            return -1;
    }
    return 0;
}

bool floats_stuck(const struct float_sum *f, uint64_t n)
{
    enum { FEW = 16 };
    return n - f->last > FEW && n - f->last > n / 1000 &&
           magnitude_of(f->exact - (double)f->in_order) > f->magnitude / 1e4;
}
