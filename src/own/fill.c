/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a fill and makes its elements. help/random.txt tells students and graders how random
 * elements are made; random_real and random_whole are that text in C.
 */
#include "own/fill.h"

#include "base/near.h"
#include "base/parts.h"
#include "base/philox.h"
#include "dev/fill.h"
#include "expr/expr.h"
#include "os/fd.h"
#include "own/npy.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h> /* for isfinite; no functions of libm are called */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ITEM_MOST = 64 };

const char *const fill_forms[] = {"zero", "iota", "value:", "list:", "random", "random:",
                                  "expr:", "file:", NULL};

/* ---- reading what was typed ------------------------------------------------------------ */

static int parse_list(struct fill *f, const char *text, struct err *e)
{
    const unsigned size = element_size(f->type);
    char item[ITEM_MOST];
    size_t most = 1;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    f->values = calloc(most, size);
    if (!f->values)
        return fail_memory(e);
    for (const char *at = text;; at++) {
        size_t n = strcspn(at, ",");
        if (n == 0 || n >= sizeof item)
            return fail(e, "`list:%.60s` is not a list; write numbers with commas between them, as "
                        "in list:1,2,3", text);
        memcpy(item, at, n);
        item[n] = '\0';
        if (element_parse(f->type, item, f->values + f->value_count++ * size, e) != 0)
            return -1;
        at += n;
        if (!*at)
            return 0;
    }
}

static int parse_value(struct fill *f, const char *text, struct err *e)
{
    f->values = calloc(1, ELEMENT_BYTES);
    f->value_count = 1;
    return f->values ? element_parse(f->type, text, f->values, e) : fail_memory(e);
}

/* Whole numbers may be LO and HI. Others are below HI, so HI must be above LO. */
static int check_bounds(const struct fill *f, const char *text, struct err *e)
{
    const bool is_float = element_kind(f->type) == KIND_FLOAT;
    int order = element_order(f->type, f->lo, f->hi);
    if (order == 2 || order > 0 || (is_float && order == 0))
        return fail(e, "random:%.60s: LO must be %s HI", text,
                    is_float ? "below" : "at most");
    double span = element_real(f->type, f->hi) - element_real(f->type, f->lo);
    if (is_float && !(span <= 1.7976931348623157e308))
        return fail(e, "random:%.60s: HI - LO must be a number that f64 can hold", text);
    return 0;
}

static int parse_random(struct fill *f, const char *text, struct err *e)
{
    const bool is_float = element_kind(f->type) == KIND_FLOAT;
    char lo[ITEM_MOST];
    const char *colon = strchr(text, ':');
    f->kind = FILL_RANDOM;
    if (!*text)
        return element_parse(f->type, "0", f->lo, e) ||
                       element_parse(f->type, is_float ? "1" : "99", f->hi, e)
                   ? -1
                   : 0;
    size_t n = colon ? (size_t)(colon - text) : 0;
    if (n == 0 || n >= sizeof lo || !colon[1] || strchr(colon + 1, ':'))
        return fail(e, "`random:%.60s` needs both bounds; write random:LO:HI, as in random:%s",
                    text, is_float ? "-1:1" : "0:9");
    memcpy(lo, text, n);
    lo[n] = '\0';
    if (element_parse(f->type, lo, f->lo, e) != 0 ||
        element_parse(f->type, colon + 1, f->hi, e) != 0)
        return -1;
    return check_bounds(f, text, e);
}

static int parse_formula(struct fill *f, const char *text, struct err *e)
{
    const bool whole = element_kind(f->type) != KIND_FLOAT;
    const char *names[FILL_INPUTS + 1] = {NULL};
    struct expr_error why;
    f->kind = FILL_FORMULA;
    for (unsigned k = 0; f->inputs && k < f->inputs->count; k++)
        names[k] = f->inputs->at[k].name;
    if ((f->inputs ? expr_parse_named(text, whole, names, &f->formula, &why)
                   : expr_parse_element(text, whole, &f->formula, &why)) == 0)
        return 0;
    return fail_at(e, 0, why.column, "expr:%.60s: column %d: %s", text, why.column, why.text);
}

bool fill_reads(const struct fill *f, unsigned input)
{
    return f->kind == FILL_FORMULA && expr_reads(f->formula, (enum expr_of)(EXPR_ELEMENT_INPUTS + input));
}

/* Is it a formula that uses an index? Then perhaps only the word expr: is missing. */
static bool looks_like_formula(const char *text)
{
    struct expr *x;
    struct expr_error ignored;
    if (expr_parse_element(text, false, &x, &ignored) != 0)
        return false;
    bool indexed = expr_reads(x, EXPR_I) || expr_reads(x, EXPR_ROW) || expr_reads(x, EXPR_COL);
    expr_free(x);
    return indexed;
}

static int no_such_fill(const char *text, struct err *e)
{
    static const char *const words[] = {"zero", "iota", "value", "list", "random", "expr", "file",
                                        NULL};
    char word[ITEM_MOST];
    size_t n = strcspn(text, ":");
    if (looks_like_formula(text))
        return fail(e, "`%.60s` is not a fill: did you mean expr:%.60s?", text, text);
    if (num_looks(text))
        return fail(e, "`%.60s` is not a fill: did you mean %s:%.60s?", text,
                    strchr(text, ',') ? "list" : "value", text);
    memcpy(word, text, n < sizeof word ? n : sizeof word - 1);
    word[n < sizeof word ? n : sizeof word - 1] = '\0';
    const char *near = near_list(word, words);
    if (near && strcmp(near, word) != 0)
        return fail(e, "there is no fill `%.60s`: did you mean %s?", text, near);
    return fail(e, "there is no fill `%.60s`; it is zero, iota, value:V, list:1,2,3, "
                "random[:LO:HI], expr:2*i+1 or file:PATH", text);
}

static int parse(struct fill *f, const char *text, struct err *e)
{
    if (strcmp(text, "zero") == 0)
        return parse_value(f, "0", e);
    if (strcmp(text, "iota") == 0) {
        f->kind = FILL_IOTA;
        return 0;
    }
    if (strncmp(text, "value:", 6) == 0)
        return parse_value(f, text + 6, e);
    if (strncmp(text, "list:", 5) == 0)
        return parse_list(f, text + 5, e);
    if (strcmp(text, "random") == 0)
        return parse_random(f, "", e);
    if (strncmp(text, "random:", 7) == 0)
        return parse_random(f, text[7] ? text + 7 : ":", e);
    if (strncmp(text, "expr:", 5) == 0)
        return parse_formula(f, text + 5, e);
    if (strncmp(text, "file:", 5) != 0)
        return no_such_fill(text, e);
    f->kind = FILL_FILE;
    f->path = text + 5;
    return *f->path ? 0 : fail(e, "file: needs the name of a file, as in file:data.npy");
}

int fill_parse_with(struct fill *f, const char *text, enum element type, struct fill_inputs *inputs,
                    struct err *e)
{
    *f = (struct fill){.kind = FILL_LIST, .type = type, .inputs = inputs, .fd = -1};
    return parse(f, text, e);
}

int fill_parse(struct fill *f, const char *text, enum element type, struct err *e)
{
    const int rc = fill_parse_with(f, text, type, NULL, e);
    e->column = rc == 0 ? e->column : 0;
    return rc;
}

void fill_free(struct fill *f)
{
    for (unsigned k = 0; f->inputs && k < f->inputs->count; k++)
        free(f->inputs->at[k].bytes);
    free(f->inputs);
    f->inputs = NULL;
    free(f->values);
    expr_free(f->formula);
    f->values = NULL;
    f->formula = NULL;
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

/* ---- does it fit ----------------------------------------------------------------------- */

static int check_npy(const struct fill *f, const struct slice *x, uint64_t *start, struct err *e)
{
    struct npy n;
    char here[80], there[80];
    if (npy_read_head(f->fd, f->path, &n, e) != 0)
        return -1;
    *start = n.start;
    if (n.type != x->type)
        return fail(e, "`%.200s` holds %s and %.60s %s; make the array of that type", f->path,
                    element_names[n.type], x->of->name, element_names[x->type]);
    const uint64_t *dims = x->dims;
    if (n.dims[0] == dims[0] && n.dims[1] == dims[1] && n.dims[2] == dims[2])
        return 0;
    return fail(e, "`%.200s` has the shape %s and %.60s %s; they must be the same", f->path,
                slice_shape_text(n.dims, there), x->of->name, slice_shape_text(dims, here));
}

static int check_file(struct fill *f, const struct slice *x, struct err *e)
{
    struct stat info;
    char has[NUM_TEXT], wants[NUM_TEXT];
    uint64_t start = 0, bytes = slice_count(x) * element_size(x->type);
    if (fstat(f->fd, &info) != 0 || !S_ISREG(info.st_mode))
        return fail(e, "`%.200s` is not a regular file, so its size can't be checked", f->path);
    if (npy_named(f->path) && check_npy(f, x, &start, e) != 0)
        return -1;
    uint64_t there = (uint64_t)info.st_size - start;
    if ((uint64_t)info.st_size < start || there != bytes)
        return fail(e, "`%.200s` has %s bytes of data where %.60s takes %s; it must have exactly "
                    "as many", f->path,
                    num_group((uint64_t)info.st_size < start ? 0 : (int64_t)there, has),
                    x->of->name, num_group((int64_t)bytes, wants));
    return 0;
}

int fill_shape(struct fill *f, const char *name, const uint64_t dims[3], uint64_t elements,
               struct err *e)
{
    char shape[80];
    memcpy(f->dims, dims, sizeof f->dims);
    f->elements = elements;
    if (f->kind != FILL_FORMULA)
        return 0;
    if (!dims[1] && (expr_reads(f->formula, EXPR_ROW) || expr_reads(f->formula, EXPR_COL) ||
                     expr_reads(f->formula, EXPR_PLANE)))
        return fail(e, "%.60s has no rows and columns: its index is i. An array of the shape 4x8 "
                    "has row and col", name);
    if (!dims[2] && expr_reads(f->formula, EXPR_PLANE))
        return fail(e, "%.60s is %s: it has row and col, and no plane", name,
                    slice_shape_text(dims, shape));
    return 0;
}

int fill_check(struct fill *f, const struct slice *x, struct err *e)
{
    if (f->kind == FILL_FILE)
        return check_file(f, x, e);
    if (f->kind == FILL_FORMULA)
        return fill_shape(f, x->of->name, x->of->dims, x->of->count, e);
    if (f->kind == FILL_LIST && f->value_count > slice_count(x))
        return fail(e, "the list has %" PRIu64 " values and only %" PRIu64 " elements are to be "
                    "filled; a shorter list repeats", f->value_count, slice_count(x));
    if (f->kind == FILL_IOTA && f->type == ELEMENT_F16 && x->hi >= 65520)
        return fail(e, "iota goes to %" PRIu64 " here and f16 only to 65504; take f32", x->hi);
    return 0;
}

/* ---- elements -------------------------------------------------------------------------- */

/* The next smaller number of that type; lo < hi, so there is one. */
static void step_down(enum element t, unsigned char *at)
{
    uint64_t v = 0;
    memcpy(&v, at, element_size(t));
    const uint64_t sign = UINT64_C(1) << (8 * element_size(t) - 1);
    if ((v & ~sign) == 0)
        v = sign | 1; /* below zero comes the negative number next to it */
    else
        v += v & sign ? 1 : UINT64_MAX;
    memcpy(at, &v, element_size(t));
}

/* LO + u (HI - LO), where u is a fraction of 24 or 53 random bits. Rounding may give HI. */
static void random_real(const struct fill *f, uint32_t low, uint32_t high, unsigned char *to)
{
    double u = (low >> 8) * 0x1p-24;
    if (f->type == ELEMENT_F64)
        u = (double)(((uint64_t)high << 32 | low) >> 11) * 0x1p-53;
    double lo = element_real(f->type, f->lo), hi = element_real(f->type, f->hi);
    element_put_real(f->type, lo + u * (hi - lo), to);
    if (element_real(f->type, to) >= hi) {
        memcpy(to, f->hi, element_size(f->type));
        step_down(f->type, to);
    }
}

enum { ROW = 256 }; /* random words made together */

/* The same for a whole row of floats, in a form that compilers make a loop over vectors. */
static void random_floats(const struct fill *f, const uint32_t low[ROW], float to[ROW])
{
    float hi, last;
    memcpy(&hi, f->hi, sizeof hi);
    unsigned char below[ELEMENT_BYTES];
    memcpy(below, f->hi, sizeof below);
    step_down(f->type, below);
    memcpy(&last, below, sizeof last);
    const double lo = element_real(f->type, f->lo), span = (double)hi - lo;
    for (unsigned i = 0; i < ROW; i++) {
        const float v = (float)(lo + (double)(int32_t)(low[i] >> 8) * 0x1p-24 * span);
        to[i] = v >= hi ? last : v;
    }
}

/* The high half of a 128-bit product. */
static uint64_t multiply_high(uint64_t a, uint64_t b)
{
    uint64_t al = a & UINT32_MAX, ah = a >> 32, bl = b & UINT32_MAX, bh = b >> 32;
    uint64_t middle = ah * bl + (al * bl >> 32);
    uint64_t other = al * bh + (middle & UINT32_MAX);
    return ah * bh + (middle >> 32) + (other >> 32);
}

/* LO plus 64 random bits, taken as a fraction, of the range. */
static void random_whole(const struct fill *f, uint32_t low, uint32_t high, unsigned char *to)
{
    uint64_t x = (uint64_t)high << 32 | low, lo = element_whole(f->type, f->lo);
    uint64_t range = element_whole(f->type, f->hi) - lo + 1; /* 0 stands for 2^64 */
    element_put_whole(f->type, lo + (range ? multiply_high(x, range) : x), to);
}

static void make_random(const struct fill *f, uint64_t seed, uint64_t first, uint64_t n,
                        unsigned char *to)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const unsigned size = element_size(f->type);
    const bool is_float = element_kind(f->type) == KIND_FLOAT;
    uint32_t low[ROW] = {0}, high[ROW];
    float row[ROW];
    for (uint64_t count; n; n -= count, first += count, to += count * size) {
        count = n < ROW ? n : ROW;
        philox_row(key, first, (size_t)count, low, high);
        if (f->type == ELEMENT_F32) {
            random_floats(f, low, row);
            memcpy(to, row, (size_t)count * size);
            continue;
        }
        for (unsigned i = 0; i < count; i++)
            (is_float ? random_real : random_whole)(f, low[i], high[i], to + i * size);
    }
}

static void make_iota(enum element type, uint64_t first, uint64_t n, unsigned char *to)
{
    const unsigned size = element_size(type);
    for (uint64_t i = first; i < first + n; i++, to += size)
        if (element_kind(type) == KIND_FLOAT)
            element_put_real(type, (double)i, to);
        else
            element_put_whole(type, i, to);
}

/* The list once, from the right place on, and then what is there, twice as much each time. */
static void repeat_list(const struct fill *f, uint64_t offset, uint64_t n, unsigned char *to)
{
    const unsigned size = element_size(f->type);
    const uint64_t count = f->value_count, from = offset % count;
    uint64_t done = n < count ? n : count;
    for (uint64_t i = 0; i < done; i++)
        memcpy(to + i * size, f->values + (from + i) % count * size, size);
    for (uint64_t more; done < n; done += more) {
        more = n - done < done ? n - done : done;
        memcpy(to + done * size, to, (size_t)(more * size));
    }
}

static int formula_fails(const struct fill *f, uint64_t index, const char *why, struct err *e)
{
    return fail(e, "expr:%.60s: element %" PRIu64 " %s", expr_text(f->formula), index, why);
}

enum { INPUTS_MOST = EXPR_ELEMENT_INPUTS + FILL_INPUTS };

/* The element of another array, as the formula computes: with whole numbers, or with doubles. */
static int formula_input(const struct fill *f, const struct fill_input *in, uint64_t index,
                         uint64_t *to, struct err *e)
{
    char why[160];
    if (index >= in->count) {
        snprintf(why, sizeof why, "reads %.60s[%" PRIu64 "], and %.60s has %" PRIu64 " element%s",
                 in->name, index, in->name, in->count, in->count == 1 ? "" : "s");
        return formula_fails(f, index, why, e);
    }
    const unsigned char *at = in->bytes + index * element_size(in->type);
    const double real = element_real(in->type, at);
    if (element_kind(f->type) == KIND_FLOAT)
        memcpy(to, &real, sizeof real);
    else if (element_kind(in->type) != KIND_FLOAT) {
        *to = element_whole(in->type, at);
        if (element_kind(in->type) != KIND_SIGNED && *to > INT64_MAX)
            return formula_fails(f, index, "reads a number above 2^63 - 1", e);
    }
    else if (real > -0x1p63 && real < 0x1p63)
        *to = (uint64_t)(int64_t)real;
    else
        return formula_fails(f, index, "reads a float that does not fit into 64 bits", e);
    return 0;
}

static int formula_inputs(const struct fill *f, uint64_t index, uint64_t input[INPUTS_MOST],
                          struct err *e)
{
    const uint64_t *dims = f->dims, rows = dims[2] ? dims[1] : dims[0];
    const uint64_t columns = dims[2] ? dims[2] : dims[1];
    input[EXPR_I] = index;
    input[EXPR_N] = f->elements;
    input[EXPR_COL] = columns ? index % columns : 0;
    input[EXPR_ROW] = columns ? index / columns % rows : 0;
    input[EXPR_PLANE] = columns ? index / columns / rows : 0;
    for (unsigned k = 0; f->inputs && k < f->inputs->count; k++)
        if (f->inputs->at[k].bytes && fill_reads(f, k) &&
            formula_input(f, &f->inputs->at[k], index, &input[EXPR_ELEMENT_INPUTS + k], e) != 0)
            return -1;
    return 0;
}

/* An element of a formula does not fit. The error gives the same reason as for a number that a
 * student types. */
static int does_not_fit(const struct fill *f, uint64_t index, const char *number, struct err *e)
{
    unsigned char unused[ELEMENT_BYTES];
    char why[ERR_TEXT + 40];
    struct err reason = {0};
    element_parse(f->type, number, unused, &reason);
    snprintf(why, sizeof why, "does not fit: %s", reason.text);
    return formula_fails(f, index, why, e);
}

static int make_whole(const struct fill *f, uint64_t index, unsigned char *to, struct err *e)
{
    static const char *const faults[] = {
        [EXPR_BY_ZERO] = "would be divided by 0", [EXPR_OVERFLOW] = "takes more than 64 bits",
        [EXPR_NEGATIVE_POWER] = "has a power below 0, and the array has integers"};
    uint64_t input[INPUTS_MOST];
    char number[NUM_TEXT];
    int64_t v = 0;
    if (formula_inputs(f, index, input, e) != 0)
        return -1;
    enum expr_fault fault = expr_eval_whole(f->formula, input, &v);
    if (fault)
        return formula_fails(f, index, faults[fault], e);
    element_put_whole(f->type, (uint64_t)v, to);
    if ((int64_t)element_whole(f->type, to) == v &&
        (v >= 0 || element_kind(f->type) == KIND_SIGNED))
        return 0;
    snprintf(number, sizeof number, "%" PRId64, v);
    return does_not_fit(f, index, number, e);
}

static int make_real(const struct fill *f, uint64_t index, unsigned char *to, struct err *e)
{
    uint64_t input[INPUTS_MOST];
    char number[NUM_TEXT];
    if (formula_inputs(f, index, input, e) != 0)
        return -1;
    double v = expr_eval_real(f->formula, input);
    element_put_real(f->type, v, to);
    return !isfinite(v) || isfinite(element_real(f->type, to))
               ? 0
               : does_not_fit(f, index, num_f64(v, number), e);
}

static int make_formula(const struct fill *f, uint64_t first, uint64_t n, unsigned char *to,
                        struct err *e)
{
    const unsigned size = element_size(f->type);
    const bool whole = element_kind(f->type) != KIND_FLOAT;
    for (uint64_t i = 0; i < n; i++, to += size)
        if ((whole ? make_whole : make_real)(f, first + i, to, e) != 0)
            return -1;
    return 0;
}

void fill_make(const struct fill *f, uint64_t seed, uint64_t first, uint64_t offset, uint64_t n,
               unsigned char *to)
{
    if (f->kind == FILL_IOTA)
        make_iota(f->type, first, n, to);
    else if (f->kind == FILL_RANDOM)
        make_random(f, seed, first, n, to);
    else
        repeat_list(f, offset, n, to);
}

/* ---- writing --------------------------------------------------------------------------- */

static int read_file(const struct fill *f, unsigned char *to, size_t n, struct err *e)
{
    ssize_t got = fd_read(f->fd, to, n);
    if (got < 0)
        return fail(e, "cannot read `%.200s`: %s", f->path, strerror(errno));
    if ((size_t)got < n)
        return fail(e, "`%.200s` became shorter while it was read", f->path);
    return 0;
}

int fill_take(const struct fill *f, uint64_t seed, uint64_t first, uint64_t offset, uint64_t n,
              unsigned char *to, struct err *e)
{
    if (f->kind == FILL_FILE)
        return read_file(f, to, (size_t)n * element_size(f->type), e);
    if (f->kind == FILL_FORMULA)
        return make_formula(f, first, n, to, e);
    fill_make(f, seed, first, offset, n, to);
    return 0;
}

/* What is filled, in parts of SLICE_CHUNK elements: memory of the host, or else an array. */
struct filling {
    const struct fill *f;
    uint64_t seed, first, n; /* index in the array of the first element; how many */
    unsigned char *memory;
    element_check *check;    /* of what was made; may be NULL */
    const void *checks;
    struct session *session; /* with the array, */
    uint64_t address;        /* on its device */
};

static uint64_t in_part(const struct filling *w, uint64_t part)
{
    const uint64_t left = w->n - part * SLICE_CHUNK;
    return left < SLICE_CHUNK ? left : SLICE_CHUNK;
}

static int make_part(void *self, uint64_t part, void *made, struct err *e)
{
    const struct filling *w = self;
    const uint64_t done = part * SLICE_CHUNK, n = in_part(w, part);
    unsigned char *to = w->memory ? w->memory + done * element_size(w->f->type) : made;
    if (fill_take(w->f, w->seed, w->first + done, done, n, to, e) != 0)
        return -1;
    return w->check ? w->check(w->checks, to, done, n, e) : 0;
}

static int write_part(void *self, uint64_t part, const void *made, struct err *e)
{
    const struct filling *w = self;
    struct device *d = w->session->device;
    const unsigned size = element_size(w->f->type);
    const uint64_t to = w->address + part * SLICE_CHUNK * size;
    return d->ops->write(d, to, made, (size_t)in_part(w, part) * size, e);
}

/* The elements of a file come one after the other. */
static struct parts parts_of(struct filling *w)
{
    return (struct parts){.count = (w->n + SLICE_CHUNK - 1) / SLICE_CHUNK, .self = w,
                          .threads = w->f->kind == FILL_FILE ? 1 : 0, .make = make_part,
                          .bytes = w->memory ? 0 : SLICE_CHUNK * element_size(w->f->type)};
}

int fill_memory(const struct session *s, const struct fill *f, uint64_t seed, uint64_t first,
                uint64_t n, void *to, element_check *check, const void *checks, const char *advice,
                struct report *r)
{
    struct filling w = {.f = f, .seed = seed, .first = first, .n = n, .memory = to,
                        .check = check, .checks = checks};
    const struct parts parts = parts_of(&w);
    return session_do_parts(s, &parts, advice, r);
}

/* ---- by the device ---------------------------------------------------------------------- */

static bool made_by_device(const struct fill *f, uint64_t seed, uint64_t first,
                           struct device_fill *to)
{
    const enum element t = f->type;
    const bool is_float = element_kind(t) == KIND_FLOAT;
    *to = (struct device_fill){.size = element_size(t), .is_real = is_float, .seed = seed,
                               .first = first};
    if (f->kind == FILL_LIST && f->value_count == 1) {
        to->kind = DEVICE_FILL_VALUE;
        memcpy(&to->value, f->values, to->size);
        return true;
    }
    if ((f->kind != FILL_IOTA && f->kind != FILL_RANDOM) || (is_float && to->size < sizeof(float)))
        return false;
    to->kind = f->kind == FILL_IOTA ? DEVICE_FILL_IOTA : DEVICE_FILL_RANDOM;
    if (f->kind == FILL_IOTA)
        return true;
    if (is_float) {
        unsigned char last[ELEMENT_BYTES];
        memcpy(last, f->hi, sizeof last);
        step_down(t, last);
        to->lo = element_real(t, f->lo);
        to->hi = element_real(t, f->hi);
        to->span = to->hi - to->lo;
        to->last = element_real(t, last);
        return true;
    }
    to->value = element_whole(t, f->lo);
    to->range = element_whole(t, f->hi) - to->value + 1;
    return true;
}

/* 1: the host has to make the bytes. */
static int fill_by_device(const struct filling *w, uint64_t address, struct report *r)
{
    struct device *d = w->session->device;
    struct device_fill fill;
    struct err e = {0};
    if (!d->ops->fill || !made_by_device(w->f, w->seed, w->first, &fill))
        return 1;
    int rc = d->ops->fill(d, address, w->n * fill.size, &fill, &e);
    return rc < 0 ? report_fail_err(r, &e) : rc;
}

/* A formula is computed twice: first without a change, so that an error comes before any element
 * changes. */
int fill_device(struct session *s, const struct fill *f, uint64_t seed, uint64_t first, uint64_t n,
                uint64_t address, const char *advice, struct report *r)
{
    struct filling w = {.f = f, .seed = seed, .first = first, .n = n, .session = s,
                        .address = address};
    struct parts parts = parts_of(&w);
    int rc = fill_by_device(&w, address, r);
    if (rc <= 0)
        return rc;
    if (f->kind == FILL_FORMULA && session_do_parts(s, &parts, advice, r) != 0)
        return -1;
    parts.take = write_part;
    return session_do_parts(s, &parts, advice, r);
}

int fill_write(struct session *s, const struct fill *f, const struct slice *x, struct report *r)
{
    return fill_device(s, f, s->settings.seed, x->lo, slice_count(x),
                       x->of->address + x->lo * element_size(x->type), WORK_ADVICE, r);
}
