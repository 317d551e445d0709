/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `print` shows a slice as rows with the index of the first element at the left. With a shape, each
 * plane is a table of rows and columns. What is small, or was asked for by its indices, is shown
 * whole. Otherwise the head and the tail are shown, with statistics of all elements.
 *
 * Elements are fetched through a window, so an array may have any size.
 */
#include "own/array-look.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL = 64,        /* so many elements are shown whole */
    HEAD = 32, TAIL = 16,
    ROWS_SMALL = 12, ROWS_HEAD = 6, ROWS_TAIL = 3,
    PLANES_HEAD = 2, PLANES_TAIL = 1,
    VALUES_MOST = 65536, /* so many values are in JSON unless more are asked for */
    WINDOW = 4096,
    GAP_COLUMNS = 2
};

struct viewer {
    struct session *session;
    const struct slice *slice;
    const struct print_how *how;
    struct report *report;
    uint64_t first, held; /* elements in the window */
    unsigned char *window;
    unsigned size;
    bool failed;
};

/* ---- elements -------------------------------------------------------------------------- */

/* The element at an index of the array; NULL: the report says what failed. */
static const unsigned char *element_at(struct viewer *v, uint64_t index)
{
    if (index - v->first >= v->held) {
        uint64_t left = v->slice->hi - index + 1, n = left < WINDOW ? left : WINDOW;
        if (v->failed || work_goes_on(v->session, v->report) != 0 ||
            slice_read(v->session, v->slice, index, n, v->window, v->report) != 0) {
            v->failed = true;
            return NULL;
        }
        v->first = index;
        v->held = n;
    }
    return v->window + (index - v->first) * v->size;
}

static const char *text_at(struct viewer *v, uint64_t index, char out[NUM_TEXT])
{
    const unsigned char *at = element_at(v, index);
    if (!at)
        return strcpy(out, "?");
    return v->how->hex ? element_hex(v->slice->type, at, out)
                       : element_text(v->slice->type, at, out);
}

static int widest(struct viewer *v, uint64_t from, uint64_t to, int least)
{
    char text[NUM_TEXT];
    for (uint64_t i = from; i <= to && !v->failed; i++) {
        int n = (int)strlen(text_at(v, i, text));
        least = n > least ? n : least;
    }
    return least;
}

static int digits_of(uint64_t v)
{
    char text[NUM_TEXT];
    return snprintf(text, sizeof text, "%" PRIu64, v);
}

/* ---- rows of a slice without a shape --------------------------------------------------- */

/* As many columns as fit, a power of two, as the sizes of warps and blocks are. */
static uint64_t columns_for(const struct viewer *v, int label, int width)
{
    uint64_t n = 1;
    if (v->how->columns)
        return (uint64_t)v->how->columns;
    while (n < 32 && label + (int)(2 * n) * (width + GAP_COLUMNS) <= v->report->width)
        n *= 2;
    return n;
}

static void say_rows(struct viewer *v, uint64_t from, uint64_t to, int label, int width,
                     uint64_t columns)
{
    char text[NUM_TEXT];
    for (uint64_t i = from; i <= to && !v->failed; i++) {
        if ((i - from) % columns == 0)
            say(v->report, "%s%*" PRIu64, i == from ? "" : "\n", label - 1, i);
        if ((i - from) % columns == 0)
            say(v->report, ":");
        say(v->report, "%*s%*s", GAP_COLUMNS, "", width, text_at(v, i, text));
    }
    say(v->report, "\n");
}

static void print_flat(struct viewer *v, bool whole)
{
    const uint64_t lo = v->slice->lo, hi = v->slice->hi;
    const int label = digits_of(hi) + 3;
    if (whole) {
        int width = widest(v, lo, hi, 1);
        say_rows(v, lo, hi, label, width, columns_for(v, label, width));
        return;
    }
    int width = widest(v, hi - TAIL + 1, hi, widest(v, lo, lo + HEAD - 1, 1));
    uint64_t columns = columns_for(v, label, width);
    say_rows(v, lo, lo + HEAD - 1, label, width, columns);
    say(v->report, "%*s\n", label, v->report->plain ? "Some elements are left out." : "...");
    say_rows(v, hi - TAIL + 1, hi, label, width, columns);
}

/* ---- tables ---------------------------------------------------------------------------- */

/* The first `head` and the last `tail` of so many; all where they add up to the number. */
struct axis {
    uint64_t count, head, tail;
};

static struct axis axis_of(uint64_t count, uint64_t head, uint64_t tail)
{
    return head + tail < count ? (struct axis){count, head, tail}
                               : (struct axis){count, count, 0};
}

static uint64_t axis_shown(const struct axis *a)
{
    return a->head + a->tail;
}

static uint64_t axis_at(const struct axis *a, uint64_t k)
{
    return k < a->head ? k : a->count - a->tail + (k - a->head);
}

static bool gap_before(const struct axis *a, uint64_t k)
{
    return a->tail && k == a->head;
}

struct plane {
    struct viewer *v;
    uint64_t start;          /* its first element */
    struct axis rows, columns;
    int label, width;
};

static int widest_in_plane(const struct plane *p)
{
    int width = digits_of(p->columns.count - 1);
    for (uint64_t r = 0; r < axis_shown(&p->rows); r++)
        for (uint64_t c = 0; c < axis_shown(&p->columns); c++) {
            uint64_t at = p->start + axis_at(&p->rows, r) * p->columns.count +
                          axis_at(&p->columns, c);
            width = widest(p->v, at, at, width);
        }
    return width;
}

/* One line with a cell for each shown column of the panel; row UINT64_MAX is the heading. */
static void say_line(const struct plane *p, uint64_t row, uint64_t from, uint64_t to)
{
    struct report *r = p->v->report;
    char text[NUM_TEXT];
    for (uint64_t k = from; k < to; k++) {
        const uint64_t c = axis_at(&p->columns, k);
        if (gap_before(&p->columns, k))
            say(r, "  %s", row == UINT64_MAX ? ".." : "  ");
        if (row == UINT64_MAX)
            snprintf(text, sizeof text, "%" PRIu64, c);
        else
            text_at(p->v, p->start + row * p->columns.count + c, text);
        say(r, "%*s%*s", GAP_COLUMNS, "", p->width, text);
    }
    say(r, "\n");
}

static void say_panel(const struct plane *p, uint64_t from, uint64_t to)
{
    struct report *r = p->v->report;
    say(r, "%*s", p->label, "");
    say_line(p, UINT64_MAX, from, to);
    for (uint64_t k = 0; k < axis_shown(&p->rows) && !p->v->failed; k++) {
        const uint64_t row = axis_at(&p->rows, k);
        if (gap_before(&p->rows, k))
            say(r, "%*s\n", p->label, r->plain ? "Some rows are left out." : "...");
        say(r, "%*" PRIu64 ":", p->label - 1, row);
        say_line(p, row, from, to);
    }
}

static uint64_t columns_that_fit(const struct plane *p, int taken)
{
    int fit = (p->v->report->width - p->label - taken) / (p->width + GAP_COLUMNS);
    return fit > 1 ? (uint64_t)fit : 1;
}

/* A plane is shown as panels of columns, one below the other. A big one loses its middle. */
static void print_plane(struct plane *p, bool whole)
{
    enum { GAP_MARK = 4, CANDIDATES = 24 };
    const uint64_t columns = p->columns.count;
    if (!whole)
        p->columns = axis_of(columns, CANDIDATES, 1);
    p->width = widest_in_plane(p);
    uint64_t fit = columns_that_fit(p, 0);
    if (!whole && fit < axis_shown(&p->columns)) {
        fit = columns_that_fit(p, GAP_MARK);
        p->columns = axis_of(columns, fit > 1 ? fit - 1 : 1, fit > 1);
        fit = axis_shown(&p->columns);
    } else if (p->columns.tail) {
        fit = axis_shown(&p->columns);
    }
    if (whole && p->v->how->columns)
        fit = (uint64_t)p->v->how->columns;
    const uint64_t shown = axis_shown(&p->columns);
    for (uint64_t from = 0; from < shown && !p->v->failed; from += fit) {
        if (from)
            say(p->v->report, "\n");
        say_panel(p, from, shown - from < fit ? shown : from + fit);
    }
}

static void print_shaped(struct viewer *v, bool whole)
{
    const uint64_t *dims = v->slice->dims;
    const bool deep = dims[2] != 0;
    const uint64_t rows = deep ? dims[1] : dims[0], columns = deep ? dims[2] : dims[1];
    struct axis planes = axis_of(deep ? dims[0] : 1, PLANES_HEAD, PLANES_TAIL);
    if (whole)
        planes = axis_of(planes.count, planes.count, 0);
    for (uint64_t k = 0; k < axis_shown(&planes) && !v->failed; k++) {
        const uint64_t at = axis_at(&planes, k);
        struct plane p = {.v = v, .start = v->slice->lo + at * rows * columns,
                          .columns = {columns, columns, 0}, .label = digits_of(rows - 1) + 3};
        p.rows = whole || rows <= ROWS_SMALL ? (struct axis){rows, rows, 0}
                                             : axis_of(rows, ROWS_HEAD, ROWS_TAIL);
        if (gap_before(&planes, k))
            say(v->report, v->report->plain ? "Some planes are left out.\n" : "...\n");
        if (deep)
            say(v->report, "[%" PRIu64 "]\n", at);
        print_plane(&p, whole);
    }
}

/* ---- the command ----------------------------------------------------------------------- */

static void say_heading(const struct viewer *v)
{
    const struct slice *x = v->slice;
    char number[NUM_TEXT], shape[80];
    say(v->report, "%s", x->of->name);
    if (slice_count(x) != x->count && x->lo == x->hi)
        say(v->report, "[%" PRIu64 "]", x->lo);
    else if (slice_count(x) != x->count)
        say(v->report, "[%" PRIu64 "..%" PRIu64 "]", x->lo, x->hi);
    say(v->report, ": %s", element_names[x->type]);
    if (x->dims[1])
        say(v->report, " %s", slice_shape_text(x->dims, shape));
    say(v->report, ", %s element%s\n", num_count(slice_count(x), number),
        slice_count(x) == 1 ? "" : "s");
    if (x->left_over)
        say(v->report, "  (%" PRIu64 " byte%s at the end left over)\n", x->left_over,
            x->left_over == 1 ? "" : "s");
}

static void values_json(struct viewer *v, bool whole)
{
    struct json *j = &v->report->result;
    const struct slice *x = v->slice;
    uint64_t hi = whole || slice_count(x) <= VALUES_MOST ? x->hi : x->lo + VALUES_MOST - 1;
    json_uint(j, "lo", x->lo);
    json_uint(j, "hi", v->how->stats_only ? x->hi : hi);
    if (v->how->stats_only)
        return;
    json_array(j, "values");
    for (uint64_t i = x->lo; i <= hi && !v->failed; i++) {
        const unsigned char *at = element_at(v, i);
        if (at)
            element_json(j, NULL, x->type, at);
    }
    json_end_array(j);
}

static void print_json(struct viewer *v, bool whole)
{
    struct json *j = &v->report->result;
    const struct slice *x = v->slice;
    json_text(j, "name", x->of->name);
    json_text(j, "type", element_names[x->type]);
    json_uint(j, "count", x->count);
    if (x->dims[1]) {
        json_array(j, "shape");
        for (int i = 0; i < 3 && x->dims[i]; i++)
            json_uint(j, NULL, x->dims[i]);
        json_end_array(j);
    }
    values_json(v, whole);
}

static void print_screen(struct viewer *v, bool whole)
{
    if (v->slice->dims[1])
        print_shaped(v, whole);
    else
        print_flat(v, whole);
}

int array_print(struct session *s, const struct slice *x, const struct print_how *how,
                struct report *r)
{
    struct viewer v = {.session = s, .slice = x, .how = how, .report = r,
                       .size = element_size(x->type)};
    struct statistics stats;
    struct err e;
    const bool asked = how->all || !x->whole, small = slice_count(x) <= SMALL;
    v.window = malloc((size_t)WINDOW * v.size);
    if (!v.window) {
        fail_memory(&e);
        return report_fail_err(r, &e);
    }
    say_heading(&v);
    if (!how->stats_only)
        print_screen(&v, asked || small);
    print_json(&v, asked);
    free(v.window);
    if (v.failed || (!how->stats_only && (asked || small)))
        return v.failed ? -1 : 0;
    if (statistics_of(s, x, &stats, r) != 0)
        return -1;
    statistics_say(&stats, r);
    statistics_json(&stats, r);
    return 0;
}
