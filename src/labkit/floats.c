/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Making the floats, and adding them up on the host.
 */
#include "labkit/floats.h"

#include "base/rounding.h"
#include "labkit/loop.h"

/* ---- making them ------------------------------------------------------------------------ */

static int check(const void *of, const void *made, uint64_t done, uint64_t n, struct err *e)
{
    const double most = 1e18; /* so that no sum and no product of two leaves a float's range */
    const struct floats *f = of;
    const float *x = made;
    for (uint64_t i = 0; i < n; i++)
        if (!(magnitude_of((double)x[i]) <= most))
            return fail(e, "--%s %.60s: element %llu is %g; they can be added up to 1e18 in size",
                        f->name, f->text, (unsigned long long)(done + i), (double)x[i]);
    return 0;
}

int floats_open(struct floats *f, const char *name, const char *text, uint64_t seed, uint64_t n,
                struct report *r)
{
    struct err e;
    const uint64_t dims[3] = {n};
    *f = (struct floats){.name = name, .text = text, .seed = seed, .n = n, .opened = true};
    if (fill_parse(&f->fill, text, ELEMENT_F32, &e) != 0 ||
        fill_shape(&f->fill, "the array", dims, n, &e) != 0)
        return report_fail_err(r, &e);
    if (f->fill.kind == FILL_FILE)
        return report_fail(r, "--%s %.60s: a lab reads no files; `array` and `launch` do", name,
                           text);
    if (f->fill.value_count > n)
        return report_fail(r, "--%s %.60s: %llu values, and there are %llu elements", name, text,
                           (unsigned long long)f->fill.value_count, (unsigned long long)n);
    return 0;
}

void floats_close(struct floats *f)
{
    if (f->opened)
        fill_free(&f->fill);
    f->opened = false;
}

int floats_fill(struct session *s, const char *name, const char *text, uint64_t seed, float *to,
                uint64_t n, struct report *r)
{
    struct floats f;
    int failed = floats_open(&f, name, text, seed, n, r) ||
                 fill_memory(s, &f.fill, seed, 0, n, to, check, &f, LAB_ADVICE, r);
    floats_close(&f);
    return failed ? -1 : 0;
}

int floats_send(struct session *s, const struct floats *f, uint64_t address, struct report *r)
{
    return fill_device(s, &f->fill, f->seed, 0, f->n, address, LAB_ADVICE, r);
}

/* ---- adding them up --------------------------------------------------------------------- */

enum { TERMS = 1 << 14 };
struct float_terms { float x[TERMS], y[TERMS]; };
struct float_adding { const struct floats *x, *y; struct float_sum *out; };

static uint64_t terms_in(const struct float_adding *a, uint64_t part)
{
    const uint64_t left = a->x->n - part * TERMS;
    return left < TERMS ? left : TERMS;
}

static int make_floats(const struct floats *f, uint64_t first, uint64_t n, float *to,
                       struct err *e)
{
    return fill_take(&f->fill, f->seed, first, first, n, (unsigned char *)to, e) ||
                   check(f, to, first, n, e)
               ? -1
               : 0;
}

static int make_terms(void *self, uint64_t part, void *made, struct err *e)
{
    const struct float_adding *a = self;
    struct float_terms *t = made;
    const uint64_t n = terms_in(a, part);
    return make_floats(a->x, part * TERMS, n, t->x, e) ||
                   (a->y && make_floats(a->y, part * TERMS, n, t->y, e))
               ? -1
               : 0;
}

/* Each addition needs the one before, so one thread does them all. The loop calls nothing and has
 * no branch: nothing else in it takes as long as an addition. */
static int add_terms(void *self, uint64_t part, const void *made, struct err *e)
{
    const struct float_adding *a = self;
    const struct float_terms *t = made;
    const float *y = a->y ? t->y : NULL;
    struct float_sum all = *a->out;
    (void)e;
    for (uint64_t i = 0, n = terms_in(a, part); i < n; i++) {
        const double term = y ? (double)t->x[i] * (double)y[i] : (double)t->x[i];
        const float next = all.in_order + (float)term;
        all.last = next != all.in_order ? part * TERMS + i + 1 : all.last;
        all.in_order = next;
        all.exact += term;
        all.magnitude += magnitude_of(term);
    }
    *a->out = all;
    return 0;
}

int floats_sum(struct session *s, const struct floats *x, const struct floats *y,
               struct float_sum *out, struct report *r)
{
    struct float_adding adding = {x, y, out};
    *out = (struct float_sum){0};
    return lab_do_parts(s, &(struct parts){.count = (x->n + TERMS - 1) / TERMS,
                                           .bytes = sizeof(struct float_terms), .self = &adding,
                                           .make = make_terms, .take = add_terms}, r);
}

bool floats_stuck(const struct float_sum *f, uint64_t n)
{
    enum { FEW = 16 };
    return n - f->last > FEW && n - f->last > n / 1000 &&
           magnitude_of(f->exact - (double)f->in_order) > f->magnitude / 1e4;
}
