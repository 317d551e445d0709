/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scatter and line plots with axes. One series is drawn in braille, two by four dots a
 * character; several, and any in ASCII, in a character a point: letters, since dots of one
 * character could not say whose they are.
 */
#include "screen/picture.h"

#include "screen/columns.h"
#include "base/mem.h"
#include "screen/pen.h"

#include <math.h> /* its macros alone */
#include <stdio.h>
#include <string.h>

enum { USUAL_ROWS = 12, PLOT_LEAST = 16, DOTS_X = 2, DOTS_Y = 4, TOLD_MOST = 16 };

/* The drawing: a byte a character, dots of braille or a letter. */
struct canvas {
    unsigned char *cell;
    int columns, rows, left; /* left: columns before it */
    bool dots;
    double x0, x1, y0, y1; /* what its edges stand for */
};

static void widen(double v, double *lo, double *hi, bool first)
{
    *lo = first || v < *lo ? v : *lo;
    *hi = first || v > *hi ? v : *hi;
}

/* false: there is no point to draw. */
static bool find_edges(const struct plot *p, struct canvas *c)
{
    bool first = true;
    for (unsigned k = 0; k < p->count; k++)
        for (unsigned i = 0; i < p->series[k].count; i++) {
            double x = p->series[k].x[i], y = p->series[k].y[i];
            if (!isfinite(x) || !isfinite(y))
                continue;
            widen(x, &c->x0, &c->x1, first);
            widen(y, &c->y0, &c->y1, first);
            first = false;
        }
    return !first;
}

/* ---- points and lines ------------------------------------------------------------------- */

/* Where a value lies among `steps` places between two edges. */
static int place(double v, double from, double to, int steps)
{
    double part = to > from ? (v - from) / (to - from) : 0;
    return part > 0 && part <= 1 ? (int)(part * (steps - 1) + 0.5) : 0;
}

static void put_dot(struct canvas *c, int x, int y, char letter)
{
    static const unsigned char dots[DOTS_Y][DOTS_X] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (c->dots)
        c->cell[y / DOTS_Y * c->columns + x / DOTS_X] |= dots[y % DOTS_Y][x % DOTS_X];
    else
        c->cell[y * c->columns + x] = (unsigned char)letter;
}

/* i steps of `steps` along a way of d, to the nearest whole number. */
static int along(int d, int i, int steps)
{
    return steps ? (2 * i * d + (d < 0 ? -steps : steps)) / (2 * steps) : 0;
}

static void put_line(struct canvas *c, const int from[2], const int to[2], char letter)
{
    int dx = to[0] - from[0], dy = to[1] - from[1];
    int wide = dx < 0 ? -dx : dx, high = dy < 0 ? -dy : dy;
    int steps = wide > high ? wide : high;
    for (int i = 0; i <= steps; i++)
        put_dot(c, from[0] + along(dx, i, steps), from[1] + along(dy, i, steps), letter);
}

static void put_series(struct canvas *c, const struct plot_series *s, char letter)
{
    int before[2] = {0, 0};
    bool has_before = false;
    int wide = c->columns * (c->dots ? DOTS_X : 1), high = c->rows * (c->dots ? DOTS_Y : 1);
    for (unsigned i = 0; i < s->count; i++) {
        if (!isfinite(s->x[i]) || !isfinite(s->y[i])) {
            has_before = false;
            continue;
        }
        int at[2] = {place(s->x[i], c->x0, c->x1, wide),
                     high - 1 - place(s->y[i], c->y0, c->y1, high)};
        put_line(c, s->joined && has_before ? before : at, at, letter);
        memcpy(before, at, sizeof before);
        has_before = true;
    }
}

/* ---- the frame -------------------------------------------------------------------------- */

static void put_cell(struct pen *p, const struct canvas *c, unsigned char cell)
{
    char text[4] = {(char)0xE2, (char)(0xA0 | cell >> 6), (char)(0x80 | (cell & 0x3F)), 0};
    if (!cell)
        pen_to(p, p->column + 1);
    else if (c->dots) /* U+2800 and its dots */
        pen_put(p, INK_PLAIN, "%s", text);
    else if (cell == '*')
        pen_put(p, INK_PLAIN, "*");
    else
        pen_put(p, ink_category((unsigned)(cell - 'A')), "%c", cell);
}

/* The values of y stand at the top, in the middle and at the bottom. */
static void say_plot_row(struct report *r, const struct canvas *c, int row)
{
    struct pen p = pen_of(r);
    char text[32];
    bool named = row == 0 || row == c->rows - 1 || row == c->rows / 2;
    double y = row == 0             ? c->y1
               : row == c->rows - 1 ? c->y0
                                    : c->y1 - (c->y1 - c->y0) * row / (c->rows - 1);
    snprintf(text, sizeof text, "%.4g", y);
    if (named)
        pen_right(&p, INK_PLAIN, text, c->left - 2);
    pen_to(&p, c->left - 1);
    pen_put(&p, INK_PLAIN, "%s", r->utf8 ? named ? "┤" : "│" : named ? "+" : "|");
    for (int x = 0; x < c->columns; x++)
        put_cell(&p, c, c->cell[row * c->columns + x]);
    pen_end(&p);
}

static void say_x_axis(struct report *r, const struct canvas *c, const char *label)
{
    struct pen p = pen_of(r);
    char lo[32], hi[32];
    pen_to(&p, c->left - 1);
    pen_put(&p, INK_PLAIN, "%s", r->utf8 ? "└" : "+");
    for (int x = 0; x < c->columns; x++)
        pen_put(&p, INK_PLAIN, "%s", r->utf8 ? "─" : "-");
    pen_end(&p);
    snprintf(lo, sizeof lo, "%.4g", c->x0);
    snprintf(hi, sizeof hi, "%.4g", c->x1);
    pen_to(&p, c->left);
    pen_put(&p, INK_PLAIN, "%s", lo);
    int room = c->columns - (int)strlen(lo) - (int)strlen(hi), wide = columns_of_text(label);
    if (wide + 4 <= room) {
        pen_to(&p, p.column + (room - wide) / 2);
        pen_put(&p, INK_PLAIN, "%s", label);
    }
    pen_right(&p, INK_PLAIN, hi, c->left + c->columns);
    pen_end(&p);
}

static void say_names(struct report *r, const struct plot *p, const struct canvas *c)
{
    struct pen pen = pen_of(r);
    pen_put(&pen, INK_HEADING, "%s", p->y_label);
    for (unsigned k = 0; k < p->count && p->count > 1; k++) {
        int wide = columns_of_text(p->series[k].label) + 2;
        if (pen.column + 3 + wide > r->width)
            pen_end(&pen);
        pen_to(&pen, pen.column ? pen.column + 3 : c->left);
        pen_put(&pen, ink_category(k), "%c", (char)('A' + k));
        pen_put(&pen, INK_PLAIN, " %s", p->series[k].label);
    }
    pen_end(&pen);
}

/* ---- all of it -------------------------------------------------------------------------- */

static double middle_of(const struct canvas *c)
{
    return c->y1 - (c->y1 - c->y0) * (c->rows / 2) / (c->rows - 1);
}

static void tell_axis(struct report *r, const struct plot *p, const struct canvas *c)
{
    struct buf text = {0};
    buf_printf(&text, "%s: from %.4g to %.4g, and %.4g is in the middle\n", p->y_label, c->y0,
               c->y1, middle_of(c));
    pen_tell(r, &text, 0);
}

/* The points themselves; where there are many, some of them, evenly. */
static void tell_series(struct report *r, const struct plot *p, const struct plot_series *s)
{
    struct buf text = {0};
    unsigned told = s->count < TOLD_MOST ? s->count : TOLD_MOST;
    buf_printf(&text, "%s%s%u points, %s and %s:", s->label ? s->label : "", s->label ? ": " : "",
               s->count, p->x_label, p->y_label);
    for (unsigned i = 0; i < told; i++) {
        unsigned k = told > 1 ? (unsigned)((uint64_t)i * (s->count - 1) / (told - 1)) : 0;
        buf_printf(&text, "%s %.4g and %.4g", i ? "," : "", s->x[k], s->y[k]);
    }
    buf_putc(&text, '\n');
    pen_tell(r, &text, 0);
}

static int left_of(const struct canvas *c)
{
    char text[3][32];
    int widest = 0;
    snprintf(text[0], sizeof text[0], "%.4g", c->y0);
    snprintf(text[1], sizeof text[1], "%.4g", c->y1);
    snprintf(text[2], sizeof text[2], "%.4g", middle_of(c));
    for (int i = 0; i < 3; i++)
        widest = (int)strlen(text[i]) > widest ? (int)strlen(text[i]) : widest;
    return widest + 2;
}

static void draw(struct report *r, const struct plot *p, struct canvas *c)
{
    size_t size = (size_t)c->columns * (size_t)c->rows;
    c->cell = mem_alloc(&allocator_libc, size);
    if (!c->cell) {
        r->screen.failed = true; /* told when the command ends */
        return;
    }
    memset(c->cell, 0, size);
    for (unsigned k = 0; k < p->count; k++)
        put_series(c, &p->series[k], p->count > 1 ? (char)('A' + k) : '*');
    say_names(r, p, c);
    for (int row = 0; row < c->rows; row++)
        say_plot_row(r, c, row);
    say_x_axis(r, c, p->x_label);
    mem_free(&allocator_libc, c->cell, size);
}

void say_plot(struct report *r, const struct plot *p)
{
    struct canvas c = {.rows = p->rows > 2 ? p->rows : USUAL_ROWS,
                       .dots = r->utf8 && p->count == 1};
    if (!find_edges(p, &c)) {
        say(r, "%s: no points yet\n", p->y_label);
        return;
    }
    c.left = left_of(&c);
    c.columns = r->width - c.left;
    if (!r->plain && c.columns >= PLOT_LEAST) {
        draw(r, p, &c);
        return;
    }
    tell_axis(r, p, &c);
    for (unsigned k = 0; k < p->count; k++)
        tell_series(r, p, &p->series[k]);
}
