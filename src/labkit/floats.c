/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Making the floats, and adding them up on the host.
 */
#include "labkit/floats.h"

#include "own/fill.h"
#include "base/rounding.h"

#include <string.h>
#include <time.h>

enum { LOOK_UP_EVERY = 1 << 20 }; /* elements between two looks at the clock */

static int check(const float *x, uint64_t first, uint64_t n, const char *name, const char *text,
                 struct report *r)
{
    const double most = 1e18; /* so that no sum and no product of two leaves a float's range */
    for (uint64_t i = 0; i < n; i++)
        if (!(magnitude_of((double)x[i]) <= most))
            return report_fail(r, "--%s %.60s: element %llu is %g; they can be added up to 1e18 "
                                  "in size", name, text, (unsigned long long)(first + i),
                               (double)x[i]);
    return 0;
}

int floats_fill(struct session *s, const char *name, const char *text, uint64_t seed, float *to,
                uint64_t n, struct report *r)
{
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
    for (uint64_t i = 0, count; i < n && !failed; i += count) {
        count = n - i < LOOK_UP_EVERY ? n - i : LOOK_UP_EVERY;
        failed = fill_take(&f, seed, i, i, count, (unsigned char *)(to + i), r) ||
                 check(to + i, i, count, name, text, r) || lab_host_goes_on(s, r);
    }
    fill_free(&f);
    return failed ? -1 : 0;
}

int floats_sum(const float *x, const float *y, uint64_t n, struct session *s,
               struct float_sum *out, struct report *r)
{
    float chain = 0;
    *out = (struct float_sum){0};
    for (uint64_t i = 0; i < n; i++) {
        double term = y ? (double)x[i] * (double)y[i] : (double)x[i];
        float next = chain + (float)term;
        out->last = next != chain ? i + 1 : out->last;
        chain = next;
        out->exact += term;
        out->magnitude += magnitude_of(term);
        if (i % LOOK_UP_EVERY == 0 && lab_host_goes_on(s, r))
            return -1;
    }
    out->in_order = chain;
    return 0;
}

bool floats_stuck(const struct float_sum *f, uint64_t n)
{
    enum { FEW = 16 };
    return n - f->last > FEW && n - f->last > n / 1000 &&
           magnitude_of(f->exact - (double)f->in_order) > f->magnitude / 1e4;
}
