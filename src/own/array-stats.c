/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of a slice, in one pass and in the order of its elements, so that a sum of rounded
 * numbers is always the same. Sums of whole numbers are exact: the low and the high halves are
 * added up separately, and neither sum can overflow.
 */
#include "own/array-look.h"

#include <inttypes.h>
#include <string.h>

struct statistics_pass {
    struct session *session;
    const struct slice *x;
    struct statistics *s;
    unsigned size;
    int64_t low, high; /* of whole numbers: the sums of the low 32 bits and of the rest */
};

static void take_whole(struct statistics_pass *p, uint64_t v)
{
    const bool negative = element_kind(p->s->type) == KIND_SIGNED && v >> 63;
    p->low += (int64_t)(v & UINT32_MAX);
    p->high += negative ? (int64_t)(v >> 32) - (INT64_C(1) << 32) : (int64_t)(v >> 32);
    p->s->zeros += v == 0;
}

/* False: a NaN, which is neither the least nor the greatest. */
static bool take_real(struct statistics_pass *p, double v)
{
    struct statistics *s = p->s;
    s->sum += v;
    s->zeros += v == 0;
    s->nans += v != v;
    s->infinities += v > 1.7976931348623157e308 || v < -1.7976931348623157e308;
    return v == v;
}

static void take_extremes(struct statistics_pass *p, const unsigned char *at, uint64_t index)
{
    struct statistics *s = p->s;
    if (!s->ordered || element_order(s->type, at, s->min) == -1) {
        memcpy(s->min, at, p->size);
        s->min_at = index;
    }
    if (!s->ordered || element_order(s->type, at, s->max) == 1) {
        memcpy(s->max, at, p->size);
        s->max_at = index;
    }
    s->ordered = true;
}

static void take(struct statistics_pass *p, const unsigned char *at, uint64_t n, uint64_t first)
{
    const bool is_float = element_kind(p->s->type) == KIND_FLOAT;
    for (uint64_t i = 0; i < n; i++, at += p->size) {
        bool orderly = true;
        if (is_float)
            orderly = take_real(p, element_real(p->s->type, at));
        else
            take_whole(p, element_whole(p->s->type, at));
        if (orderly)
            take_extremes(p, at, first + i);
    }
    p->high += p->low >> 32; /* so that it can't overflow */
    p->low &= UINT32_MAX;
}

/* high * 2^32 + low; exact if it fits 64 bits. */
static void finish_whole(struct statistics_pass *p)
{
    struct statistics *s = p->s;
    s->exact = p->high >= -(INT64_C(1) << 31) && p->high < INT64_C(1) << 31;
    if (s->exact)
        s->whole_sum = p->high * (INT64_C(1) << 32) + p->low;
    s->sum = (double)p->high * 0x1p32 + (double)p->low;
}

static int step(void *self, uint64_t done, uint64_t n, unsigned char *chunk, struct report *r)
{
    struct statistics_pass *p = self;
    if (slice_read(p->session, p->x, p->x->lo + done, n, chunk, r) != 0)
        return -1;
    take(p, chunk, n, p->x->lo + done);
    return 0;
}

int statistics_of(struct session *session, const struct slice *x, struct statistics *s,
                  struct report *r)
{
    struct statistics_pass p = {.session = session, .x = x, .s = s, .size = element_size(x->type)};
    *s = (struct statistics){.type = x->type, .count = slice_count(x)};
    int rc = slice_by_chunks(session, s->count, p.size, step, &p, r);
    if (element_kind(x->type) != KIND_FLOAT)
        finish_whole(&p);
    return rc;
}

/* ---- telling --------------------------------------------------------------------------- */

static void sum_text(const struct statistics *s, char out[NUM_TEXT])
{
    if (s->exact)
        element_text(ELEMENT_I64, &s->whole_sum, out);
    else
        num_f64(s->sum, out);
}

void statistics_say(const struct statistics *s, struct report *r)
{
    char min[NUM_TEXT], max[NUM_TEXT], number[NUM_TEXT];
    if (s->ordered)
        say(r, "  min   %s at [%" PRIu64 "]\n  max   %s at [%" PRIu64 "]\n",
            element_text(s->type, s->min, min), s->min_at, element_text(s->type, s->max, max),
            s->max_at);
    sum_text(s, number);
    say(r, "  sum   %s\n", number);
    say(r, "  mean  %s\n", num_f64(s->sum / (double)s->count, number));
    say(r, "  zeros %s", num_group((int64_t)s->zeros, number));
    if (element_kind(s->type) == KIND_FLOAT) {
        say(r, ", nan %s", num_group((int64_t)s->nans, number));
        say(r, ", infinite %s", num_group((int64_t)s->infinities, number));
    }
    say(r, "\n");
}

void statistics_json(const struct statistics *s, struct report *r)
{
    struct json *j = &r->result;
    json_object(j, "statistics");
    if (s->ordered) {
        element_json(j, "min", s->type, s->min);
        json_uint(j, "min_index", s->min_at);
        element_json(j, "max", s->type, s->max);
        json_uint(j, "max_index", s->max_at);
    }
    if (s->exact)
        json_int(j, "sum", s->whole_sum);
    else
        json_f64(j, "sum", s->sum);
    json_f64(j, "mean", s->sum / (double)s->count);
    json_uint(j, "zeros", s->zeros);
    if (element_kind(s->type) == KIND_FLOAT) {
        json_uint(j, "nan", s->nans);
        json_uint(j, "inf", s->infinities);
    }
    json_end_object(j);
}
