/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares two arrays, element by element: a and b agree where they are equal, or where
 * |a - b| <= atol + rtol * |b|. Equal infinities agree; NaN agrees with nothing unless asked.
 */
#include "own/array-look.h"

#include "base/rounding.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 };

struct difference {
    uint64_t index; /* from the first element that is compared */
    unsigned char a[ELEMENT_BYTES], b[ELEMENT_BYTES];
};

struct array_comparison {
    struct session *session;
    const struct slice *a;
    const struct compare_side *b;
    enum element type;
    unsigned size;
    const struct compare_how *how;
    uint64_t count, differ;
    struct difference first[SHOWN];
    double max_abs, max_rel; /* of all numbers but NaN and infinities, which have no error */
    uint64_t max_abs_at;
};

static void note_error(struct array_comparison *c, double error, double b, uint64_t index)
{
    if (!is_finite(error))
        return;
    if (error > c->max_abs) {
        c->max_abs = error;
        c->max_abs_at = index;
    }
    double relative = b != 0 ? error / magnitude_of(b) : 0;
    if (is_finite(relative) && relative > c->max_rel)
        c->max_rel = relative;
}

/* Equal elements need no arithmetic. An error that is NaN exceeds any tolerance. */
static bool agree(struct array_comparison *c, const unsigned char *a, const unsigned char *b,
                  uint64_t index)
{
    int order = element_order(c->type, a, b);
    if (order == 0)
        return true;
    double x = element_real(c->type, a), y = element_real(c->type, b);
    if (order == 2)
        return c->how->equal_nan && x != x && y != y;
    double error = element_distance(c->type, a, b);
    note_error(c, error, y, index);
    return is_finite(error) && error <= c->how->atol + c->how->rtol * magnitude_of(y);
}

static void compare_chunk(struct array_comparison *c, const unsigned char *a,
                          const unsigned char *b, uint64_t done, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++, a += c->size, b += c->size) {
        if (agree(c, a, b, done + i))
            continue;
        if (c->differ < SHOWN) {
            struct difference *d = &c->first[c->differ];
            d->index = done + i;
            memcpy(d->a, a, c->size);
            memcpy(d->b, b, c->size);
        }
        c->differ++;
    }
}

/* Has both sides of a chunk, one behind the other. */
static int step(void *self, uint64_t done, uint64_t n, unsigned char *chunk, struct report *r)
{
    struct array_comparison *c = self;
    unsigned char *other = chunk + (size_t)SLICE_CHUNK * c->size;
    if (slice_read(c->session, c->a, c->a->lo + done, n, chunk, r) != 0 ||
        c->b->read(c->b->self, done, n, other, r) != 0)
        return -1;
    compare_chunk(c, chunk, other, done, n);
    return 0;
}

/* ---- telling --------------------------------------------------------------------------- */

static void tell_json(const struct array_comparison *c, const struct slice *a, struct report *r)
{
    struct json *j = &r->result;
    json_bool(j, "ok", c->differ == 0);
    json_text(j, "type", element_names[c->type]);
    json_uint(j, "count", c->count);
    json_uint(j, "differ", c->differ);
    json_f64(j, "max_abs", c->max_abs);
    json_f64(j, "max_rel", c->max_rel);
    json_array(j, "first");
    for (uint64_t i = 0; i < c->differ && i < SHOWN; i++) {
        json_object(j, NULL);
        json_uint(j, "index", a->lo + c->first[i].index);
        element_json(j, "a", c->type, c->first[i].a);
        element_json(j, "b", c->type, c->first[i].b);
        json_end_object(j);
    }
    json_end_array(j);
}

static void tell_errors(const struct array_comparison *c, const struct slice *a, struct report *r)
{
    char absolute[NUM_TEXT], relative[NUM_TEXT];
    if (c->max_abs > 0)
        say(r, "  largest error %s at [%" PRIu64 "], relative %s\n",
            num_f64(c->max_abs, absolute), a->lo + c->max_abs_at,
            num_f64(c->max_rel, relative));
}

static int tell_differences(const struct array_comparison *c, const struct slice *a,
                            const char *a_name, const struct compare_side *b, struct report *r)
{
    char x[NUM_TEXT], y[NUM_TEXT], differ[NUM_TEXT], count[NUM_TEXT];
    const int wide = r->width < 66 ? (r->width - 18) / 2 : 24;
    say(r, "%s of %s elements differ\n", num_group((int64_t)c->differ, differ),
        num_group((int64_t)c->count, count));
    say(r, "  %12s  %*.*s  %*.*s\n", "index", wide, wide, a_name, wide, wide, b->name);
    for (uint64_t i = 0; i < c->differ && i < SHOWN; i++)
        say(r, "  %12" PRIu64 "  %*s  %*s\n", a->lo + c->first[i].index,
            wide, element_text(c->type, c->first[i].a, x),
            wide, element_text(c->type, c->first[i].b, y));
    if (c->differ > SHOWN)
        say(r, "  %12s\n", r->plain ? "There are more." : "...");
    tell_errors(c, a, r);
    return report_fail(r, "%.60s and %.100s differ in %s of %s elements, first at [%" PRIu64 "]: "
                       "%s and %s", a_name, b->name, differ, count, a->lo + c->first[0].index,
                       element_text(c->type, c->first[0].a, x),
                       element_text(c->type, c->first[0].b, y));
}

int array_compare(struct session *s, const struct slice *a, const char *a_name,
                  const struct compare_side *b, const struct compare_how *how, struct report *r)
{
    char count[NUM_TEXT];
    struct array_comparison c = {.session = s, .a = a, .b = b, .how = how, .type = a->type,
                           .size = element_size(a->type), .count = slice_count(a)};
    if (slice_by_chunks(s, c.count, 2 * c.size, step, &c, r) != 0)
        return -1;
    tell_json(&c, a, r);
    if (c.differ)
        return tell_differences(&c, a, a_name, b, r);
    say(r, "all %s elements agree\n", num_group((int64_t)c.count, count));
    tell_errors(&c, a, r);
    return 0;
}
