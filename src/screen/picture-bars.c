/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bars and sparklines. A bar's length is its value over the largest one, from nothing: twice
 * as long is twice as much. In UTF-8 it is drawn to an eighth of a column.
 */
#include "screen/picture.h"

#include "screen/columns.h"
#include "screen/wrap.h"
#include "screen/pen.h"

#include <math.h> /* its macros alone */
#include <stdio.h>
#include <string.h>

enum { BAR_LEAST = 8, GAP = 2, EIGHTHS = 8 };

/* ---- bars ------------------------------------------------------------------------------- */

struct bar_layout {
    int label, shown, room; /* columns */
    double most;
};

static struct bar_layout lay_out_bars(const struct report *r, const struct bar *bars,
                                      unsigned count)
{
    struct bar_layout l = {0};
    for (unsigned i = 0; i < count; i++) {
        int label = columns_of_text(bars[i].label), shown = columns_of_text(bars[i].shown);
        l.label = label > l.label ? label : l.label;
        l.shown = shown > l.shown ? shown : l.shown;
        l.most = bars[i].value > l.most ? bars[i].value : l.most;
    }
    l.room = r->width - l.label - l.shown - 2 * GAP - 1;
    return l;
}

/* In eighths of a column; what is above 0 can always be seen. */
static int bar_length(double value, const struct bar_layout *l)
{
    double part = value / l->most;
    if (!(value > 0 && part <= 1)) /* also what is no number */
        return 0;
    int n = (int)(part * l->room * EIGHTHS + 0.5);
    return n ? n : 1;
}

static void put_bar(struct pen *p, int eighths)
{
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    bool utf8 = p->report->utf8;
    int whole = utf8 ? eighths / EIGHTHS : (eighths + EIGHTHS / 2) / EIGHTHS;
    for (int i = 0; i < whole; i++)
        pen_put(p, INK_PLAIN, "%s", utf8 ? "█" : "#");
    if (utf8 && eighths % EIGHTHS)
        pen_put(p, INK_PLAIN, "%s", parts[eighths % EIGHTHS]);
    else if (!whole && eighths)
        pen_put(p, INK_PLAIN, "|");
}

static void draw_bar(struct report *r, const struct bar *bar, const struct bar_layout *l)
{
    struct pen p = pen_of(r);
    int length = bar_length(bar->value, l);
    pen_put(&p, INK_PLAIN, "%s", bar->label);
    pen_to(&p, l->label + GAP);
    put_bar(&p, length);
    pen_to(&p, length ? p.column + 1 : p.column);
    pen_put(&p, INK_PLAIN, "%s", bar->shown);
    pen_end(&p);
}

/* Where there is no room for a bar, or nobody to see it. */
static void say_bar(struct report *r, const struct bar *bar)
{
    struct buf text = {0}, lines = {0};
    buf_printf(&text, "%s: %s%s", bar->label, bar->shown, r->plain ? "." : "");
    code_wrap(&lines, buf_text(&text), text.len, r->width, "    ");
    paint(r, &r->screen, INK_PLAIN, buf_text(&lines), lines.len);
    report_said(r, &text);
    report_said(r, &lines);
}

void say_bars(struct report *r, const struct bar *bars, unsigned count)
{
    struct bar_layout l = lay_out_bars(r, bars, count);
    for (unsigned i = 0; i < count; i++)
        if (r->plain || l.room < BAR_LEAST)
            say_bar(r, &bars[i]);
        else
            draw_bar(r, &bars[i], &l);
}

/* ---- sparklines ------------------------------------------------------------------------- */

/* The highest value of those that column k stands for; NaN where there is none. */
static double highest_of(const double *values, unsigned count, unsigned k, unsigned columns)
{
    unsigned from = (unsigned)((uint64_t)k * count / columns);
    unsigned to = (unsigned)((uint64_t)(k + 1) * count / columns);
    struct extremes e = extremes_of(values + from, to - from);
    return e.counted ? e.hi : (double)NAN;
}

/* A step of a height: digits in ASCII, 0 the lowest and 9 the highest. */
static void put_step(struct pen *p, double value, const struct extremes *e)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    int steps = p->report->utf8 ? 8 : 10;
    double part = e->hi > e->lo ? (value - e->lo) / (e->hi - e->lo) : 0;
    int step = (int)(part * (steps - 1) + 0.5);
    if (isnan(value))
        pen_to(p, p->column + 1);
    else if (p->report->utf8)
        pen_put(p, INK_PLAIN, "%s", blocks[step]);
    else
        pen_put(p, INK_PLAIN, "%d", step);
}

void say_sparkline(struct report *r, const char *label, const double *values, unsigned count)
{
    char range[80];
    struct extremes e = extremes_of(values, count);
    struct pen p = pen_of(r);
    snprintf(range, sizeof range, e.counted ? "%.4g to %.4g" : "no values", e.lo, e.hi);
    int room = r->width - columns_of_text(label) - (int)strlen(range) - 2 * GAP;
    if (r->plain || room < BAR_LEAST || !e.counted) {
        pen_put(&p, INK_PLAIN, "%s: %s%s", label, range, e.counted ? "" : " yet");
        if (e.counted)
            pen_put(&p, INK_PLAIN, ", the last %.4g", values[count - 1]);
        pen_end(&p);
        return;
    }
    unsigned columns = count < (unsigned)room ? count : (unsigned)room;
    pen_put(&p, INK_PLAIN, "%s", label);
    pen_to(&p, p.column + GAP);
    for (unsigned k = 0; k < columns; k++)
        put_step(&p, highest_of(values, count, k, columns), &e);
    pen_to(&p, p.column + GAP);
    pen_put(&p, INK_PLAIN, "%s", range);
    pen_end(&p);
}
