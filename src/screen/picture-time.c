/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timelines: a row for each warp, stream or engine, a letter for each kind of thing it does,
 * as long as it takes. What is shorter than a column gets one all the same, so that nothing
 * that happened is missing; where two meet in a column, the later one shows.
 */
#include "screen/picture.h"

#include "screen/columns.h"
#include "screen/pen.h"

#include <stdio.h>
#include <string.h>

enum { GAP = 2, TIME_LEAST = 16, TIME_MOST = 400 };

struct time_layout {
    int left, columns;
    double from, to;
};

static struct time_layout lay_out_time(const struct report *r, const struct timeline *t)
{
    struct time_layout l = {0};
    for (unsigned i = 0; i < t->row_count; i++) {
        int wide = columns_of_text(t->rows[i]) + GAP;
        l.left = wide > l.left ? wide : l.left;
    }
    for (unsigned i = 0; i < t->span_count; i++) {
        const struct time_span *s = &t->spans[i];
        l.from = !i || s->from < l.from ? s->from : l.from;
        l.to = !i || s->to > l.to ? s->to : l.to;
    }
    l.columns = r->width - l.left < TIME_MOST ? r->width - l.left : TIME_MOST;
    return l;
}

static int column_of(double when, const struct time_layout *l)
{
    return l->to > l->from ? (int)((when - l->from) / (l->to - l->from) * l->columns) : 0;
}

/* Kinds by column, one more than the number, 0 where nothing goes on. */
static void fill_row(const struct timeline *t, unsigned row, const struct time_layout *l,
                     unsigned char kinds[TIME_MOST])
{
    memset(kinds, 0, TIME_MOST);
    for (unsigned i = 0; i < t->span_count; i++) {
        const struct time_span *s = &t->spans[i];
        int from = column_of(s->from, l), to = column_of(s->to, l);
        from = from < l->columns ? from : l->columns - 1;
        to = to > from ? to : from + 1;
        for (int c = from; s->row == row && c < to; c++)
            kinds[c] = (unsigned char)(s->kind + 1);
    }
}

static void say_time_row(struct report *r, const struct timeline *t, unsigned row,
                         const struct time_layout *l)
{
    unsigned char kinds[TIME_MOST];
    struct pen p = pen_of(r);
    fill_row(t, row, l, kinds);
    pen_put(&p, INK_PLAIN, "%s", t->rows[row]);
    pen_to(&p, l->left);
    for (int c = 0; c < l->columns; c++)
        if (kinds[c])
            pen_put(&p, ink_category(kinds[c] - 1u), "%c", (char)('A' + kinds[c] - 1));
        else
            pen_put(&p, INK_PLAIN, "%s", r->utf8 ? "·" : ".");
    pen_end(&p);
}

static void say_time_axis(struct report *r, const struct timeline *t, const struct time_layout *l)
{
    char from[40], to[64];
    struct pen p = pen_of(r);
    snprintf(from, sizeof from, "%.4g", l->from);
    snprintf(to, sizeof to, "%.4g %.20s", l->to, t->unit);
    pen_to(&p, l->left);
    pen_put(&p, INK_PLAIN, "%s", from);
    pen_to(&p, p.column + 1);
    pen_right(&p, INK_PLAIN, to, l->left + l->columns);
    pen_end(&p);
}

static void say_kinds(struct report *r, const struct timeline *t)
{
    struct pen p = pen_of(r);
    for (unsigned k = 0; k < t->kind_count; k++) {
        if (p.column && p.column + 4 + columns_of_text(t->kinds[k]) > r->width)
            pen_end(&p);
        pen_to(&p, p.column ? p.column + GAP : GAP);
        pen_put(&p, ink_category(k), "%c", (char)('A' + k));
        pen_put(&p, INK_PLAIN, " %s", t->kinds[k]);
    }
    pen_end(&p);
}

static bool same_span(const struct time_span *a, const struct time_span *b)
{
    return a->row == b->row && a->kind == b->kind && a->from == b->from && a->to == b->to;
}

static bool told_before(const struct timeline *t, unsigned i)
{
    unsigned k = 0;
    while (!same_span(&t->spans[k], &t->spans[i]))
        k++;
    return k < i;
}

static unsigned alike_from(const struct timeline *t, unsigned i)
{
    unsigned n = 0;
    for (unsigned k = i; k < t->span_count; k++)
        n += same_span(&t->spans[k], &t->spans[i]);
    return n;
}

/* Says a row: "warp 0: loads from 0 to 5 us, adds from 5 to 9 us." */
static void tell_time_row(struct report *r, const struct timeline *t, unsigned row)
{
    struct buf text = {0};
    bool any = false;
    buf_printf(&text, "%s:", t->rows[row]);
    for (unsigned i = 0; i < t->span_count; i++) {
        const struct time_span *s = &t->spans[i];
        if (s->row != row || told_before(t, i))
            continue;
        buf_printf(&text, "%s %s from %.4g to %.4g %s", any ? "," : "", t->kinds[s->kind], s->from,
                   s->to, t->unit);
        unsigned times = alike_from(t, i);
        if (times > 1)
            buf_printf(&text, " (%u times)", times);
        any = true;
    }
    buf_puts(&text, any ? ".\n" : " nothing.\n");
    pen_tell(r, &text, 0);
}

void say_timeline(struct report *r, const struct timeline *t)
{
    struct time_layout l = lay_out_time(r, t);
    bool drawn = !r->plain && l.columns >= TIME_LEAST;
    for (unsigned row = 0; row < t->row_count; row++)
        if (drawn)
            say_time_row(r, t, row, &l);
        else
            tell_time_row(r, t, row);
    if (!drawn)
        return;
    say_time_axis(r, t, &l);
    say_kinds(r, t);
}
