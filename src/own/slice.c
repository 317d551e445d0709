/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads x, x[3], x[0..9], m[2][1..4], and moves the elements that are meant between the device and
 * the host.
 */
#include "own/arrays.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 255, PART_MOST = 64 };

uint64_t slice_count(const struct slice *x)
{
    return x->hi - x->lo + 1;
}

const char *slice_shape_text(const uint64_t dims[3], char out[80])
{
    int n = snprintf(out, 80, "%" PRIu64, dims[0]);
    for (int i = 1; i < 3 && dims[i]; i++)
        n += snprintf(out + n, 80 - (size_t)n, "x%" PRIu64, dims[i]);
    return out;
}

/* ---- reading what was typed ------------------------------------------------------------ */

static int wrong_form(const char *text, struct err *e)
{
    return fail(e, "`%.60s` is not a part of an array; write x, x[3] or x[0..9], where 9 is "
                "included", text);
}

/* Reads one number between brackets. It must be below `limit`; `what` is what it counts. */
static int read_index(const struct slice *x, const char *text, uint64_t limit, const char *what,
                      uint64_t *out, struct err *e)
{
    struct err why;
    if (num_uint(text, 0, UINT64_MAX, out, &why) != 0)
        return fail(e, "%.60s[%.60s]: %s", x->of->name, text, why.text);
    if (*out >= limit && limit == 1) /* "elements" without its s */
        return fail(e, "%.60s has 1 %.*s, number 0; there is no %" PRIu64, x->of->name,
                    (int)strlen(what) - 1, what, *out);
    if (*out >= limit)
        return fail(e, "%.60s has %" PRIu64 " %s, from 0 to %" PRIu64 "; there is no %" PRIu64,
                    x->of->name, limit, what, limit - 1, *out);
    return 0;
}

/* Reads "I", "LO..HI", "LO..", "..HI"; both ends are included. */
static int read_range(const struct slice *x, char *inner, uint64_t limit, const char *what,
                      uint64_t *lo, uint64_t *hi, struct err *e)
{
    char *dots = strstr(inner, "..");
    if (!dots && strchr(inner, ':'))
        return fail(e, "a part of an array has two dots: %.60s[0..9], where 9 is included",
                    x->of->name);
    if (!dots) {
        if (read_index(x, inner, limit, what, lo, e) != 0)
            return -1;
        *hi = *lo;
        return 0;
    }
    *dots = '\0';
    char *second = dots + 2;
    *lo = 0;
    *hi = limit - 1;
    if ((*inner && read_index(x, inner, limit, what, lo, e) != 0) ||
        (*second && read_index(x, second, limit, what, hi, e) != 0))
        return -1;
    if (*lo > *hi)
        return fail(e, "%.60s[%s..%s] is backwards; write the smaller index first",
                    x->of->name, inner, second);
    return 0;
}

/* Splits "[a][b]" into up to three texts; returns their number, or -1. */
static int split_brackets(const char *text, char part[3][PART_MOST])
{
    int n = 0;
    while (*text) {
        const char *end = *text == '[' ? strchr(text, ']') : NULL;
        size_t length = end ? (size_t)(end - text) - 1 : 0;
        if (n == 3 || length == 0 || length >= PART_MOST)
            return -1;
        memcpy(part[n], text + 1, length);
        part[n++][length] = '\0';
        text = end + 1;
    }
    return n;
}

/* Reads the indices of m[r][c]. Only the last may be a range. */
static int read_indices(struct slice *x, char part[3][PART_MOST], int n, struct err *e)
{
    static const char *const flat[] = {"elements"}, *const two[] = {"rows", "columns"},
                      *const three[] = {"planes", "rows", "columns"};
    const char *const *what = n == 1 ? flat : n == 2 ? two : three;
    const uint64_t one[] = {x->count}, *dims = n == 1 ? one : x->dims;
    uint64_t start = 0, lo = 0, hi = 0;
    char shape[80];
    if (n > 1 && (!x->dims[n - 1] || (n < 3 && x->dims[n])))
        return fail(e, "%.60s is %s and takes one index%s; make it with a shape, as in "
                    "`array m f32 4x8`, for m[1][2]", x->of->name,
                    slice_shape_text(x->dims, shape),
                    !x->dims[1] ? "" : x->dims[2] ? " or three" : " or two");
    for (int i = 0; i < n; i++) {
        if (read_range(x, part[i], dims[i], what[i], &lo, &hi, e) != 0)
            return -1;
        if (i + 1 < n && lo != hi)
            return fail(e, "only the last index can be a range, because the elements of a range "
                           "must be neighbours");
        start = start * dims[i] + lo;
    }
    x->lo = start;
    x->hi = start + (hi - lo);
    return 0;
}

int slice_parse(struct session *s, const char *text, const enum element *as, struct slice *x,
                struct err *e)
{
    char name[NAME_MOST + 1], part[3][PART_MOST];
    size_t n = strcspn(text, "[");
    *x = (struct slice){0};
    if (n == 0 || n > NAME_MOST)
        return wrong_form(text, e);
    memcpy(name, text, n);
    name[n] = '\0';
    if (!(x->of = array_or_near(s, name, e)))
        return -1;
    x->type = as ? *as : x->of->type;
    const unsigned size = element_size(x->type);
    x->count = array_bytes(x->of) / size;
    x->left_over = array_bytes(x->of) % size;
    if (size == element_size(x->of->type))
        memcpy(x->dims, x->of->dims, sizeof x->dims);
    else
        x->dims[0] = x->count;
    if (!x->count)
        return fail(e, "%.60s has %" PRIu64 " bytes, too few for one %s", name,
                    array_bytes(x->of), element_names[x->type]);
    x->hi = x->count - 1;
    x->whole = !text[n];
    int brackets = split_brackets(text + n, part);
    if (brackets < 0)
        return wrong_form(text, e);
    if (brackets && read_indices(x, part, brackets, e) != 0)
        return -1;
    if (brackets) {
        memset(x->dims, 0, sizeof x->dims);
        x->dims[0] = slice_count(x);
    }
    return 0;
}

/* ---- moving ---------------------------------------------------------------------------- */

int work_goes_on(const struct session *s, struct report *r)
{
    return session_goes_on(s, WORK_ADVICE, r);
}

int slice_read(struct session *s, const struct slice *x, uint64_t first, uint64_t n, void *to,
               struct report *r)
{
    const unsigned size = element_size(x->type);
    return session_fetch(s, to, x->of->address + first * size, (size_t)(n * size), r);
}

int slice_write(struct session *s, const struct slice *x, uint64_t first, uint64_t n,
                const void *from, struct report *r)
{
    const unsigned size = element_size(x->type);
    return session_store(s, x->of->address + first * size, from, (size_t)(n * size), r);
}

int slice_by_chunks(struct session *s, uint64_t count, size_t size, slice_step *step, void *self,
                    struct report *r)
{
    struct err e;
    unsigned char *chunk = malloc(SLICE_CHUNK * size);
    if (!chunk) {
        fail_memory(&e);
        return report_fail_err(r, &e);
    }
    int rc = 0;
    for (uint64_t done = 0; rc == 0 && done < count; done += SLICE_CHUNK) {
        uint64_t n = count - done < SLICE_CHUNK ? count - done : SLICE_CHUNK;
        rc = work_goes_on(s, r);
        if (rc == 0)
            rc = step(self, done, n, chunk, r);
    }
    free(chunk);
    return rc;
}
