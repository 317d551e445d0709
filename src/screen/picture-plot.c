/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scatter and line plots with axes, each linear or logarithmic (axis.h). One series is drawn in
 * braille, two by four dots a character; several, and any in ASCII, in a character a point:
 * letters, since dots of one character could not say whose they are.
 */
#include "screen/picture.h"

#include "screen/columns.h"
#include "base/mem.h"
#include "screen/pen.h"

#include <math.h> /* its macros alone */
#include <stdio.h>
#include <string.h>

enum { USUAL_ROWS = 12, PLOT_LEAST = 16, DOTS_X = 2, DOTS_Y = 4, TOLD_MOST = 16,
       TICK_COLUMNS = 9 /* for a tick of the axis below, with blanks */ };

/* The drawing: a byte a character, dots of braille or a letter. */
struct canvas {
    unsigned char *cell;
    int columns, rows, left; /* left: columns before it */
    bool dots;
    struct plot_axis x, y;
    struct ticks beside, below; /* of logarithmic axes */
};

bool plot_axes(const struct plot *p, struct plot_axis *x, struct plot_axis *y)
{
    *x = (struct plot_axis){.scale = p->x_scale};
    *y = (struct plot_axis){.scale = p->y_scale, .seconds = p->y_seconds};
    for (unsigned k = 0; k < p->count; k++)
        for (unsigned i = 0; i < p->series[k].count; i++) {
            const double at[2] = {p->series[k].x[i], p->series[k].y[i]};
            if (!isfinite(axis_place(x, at[0])) || !isfinite(axis_place(y, at[1])))
                continue;
            axis_widen(x, at[0]);
            axis_widen(y, at[1]);
        }
    const double middle = (y->least + y->greatest) / 2, part = p->y_part / 2;
    if (x->any && p->y_part > 0 && middle > 0) {
        axis_widen(y, middle * (1 - part));
        axis_widen(y, middle * (1 + part));
    }
    axis_find_digits(x);
    axis_find_digits(y);
    return x->any;
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
        const double x = axis_place(&c->x, s->x[i]), y = axis_place(&c->y, s->y[i]);
        if (!isfinite(x) || !isfinite(y)) {
            has_before = false;
            continue;
        }
        int at[2] = {place(x, c->x.from, c->x.to, wide),
                     high - 1 - place(y, c->y.from, c->y.to, high)};
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

/* A linear axis has the values of y at the top, in the middle and at the bottom. */
static double middle_of(const struct canvas *c)
{
    return c->y.to - (c->y.to - c->y.from) * (c->rows / 2) / (c->rows - 1);
}

/* What stands beside a row; false: nothing does. */
static bool name_of_row(const struct canvas *c, int row, char text[TICK_TEXT])
{
    const struct ticks *t = &c->beside;
    if (c->y.scale == AXIS_LINEAR) {
        const bool named = row == 0 || row == c->rows - 1 || row == c->rows / 2;
        axis_value(&c->y, row == 0 ? c->y.to : row == c->rows - 1 ? c->y.from : middle_of(c), text);
        return named;
    }
    for (unsigned k = 0; k < t->count; k++)
        if (c->rows - 1 - place(t->tick[k].at, c->y.from, c->y.to, c->rows) == row) {
            memcpy(text, t->tick[k].text, TICK_TEXT);
            return true;
        }
    return false;
}

static void say_plot_row(struct report *r, const struct canvas *c, int row)
{
    struct pen p = pen_of(r);
    char text[TICK_TEXT];
    const bool named = name_of_row(c, row, text);
    if (named)
        pen_right(&p, INK_PLAIN, text, c->left - 2);
    pen_to(&p, c->left - 1);
    pen_put(&p, INK_PLAIN, "%s", r->utf8 ? named ? "┤" : "│" : named ? "+" : "|");
    for (int x = 0; x < c->columns; x++)
        put_cell(&p, c, c->cell[row * c->columns + x]);
    pen_end(&p);
}

/* The column of a tick below; -1: this tick does not exist. */
static int column_of(const struct canvas *c, unsigned k)
{
    return k < c->below.count ? place(c->below.tick[k].at, c->x.from, c->x.to, c->columns) : -1;
}

static void say_x_line(struct report *r, const struct canvas *c)
{
    struct pen p = pen_of(r);
    unsigned next = 0;
    pen_to(&p, c->left - 1);
    pen_put(&p, INK_PLAIN, "%s", r->utf8 ? "└" : "+");
    for (int x = 0; x < c->columns; x++) {
        const bool marked = x == column_of(c, next);
        pen_put(&p, INK_PLAIN, "%s", r->utf8 ? marked ? "┬" : "─" : marked ? "+" : "-");
        next += marked;
    }
    pen_end(&p);
}

/* The names of the ticks, each in the middle below its tick where there is room for it. */
static void say_x_ticks(struct report *r, const struct canvas *c, const char *label)
{
    struct pen p = pen_of(r);
    const int end = c->left + c->columns;
    for (unsigned k = 0; k < c->below.count; k++) {
        const int wide = (int)strlen(c->below.tick[k].text);
        int at = c->left + column_of(c, k) - wide / 2;
        at = at + wide > end ? end - wide : at < 0 ? 0 : at;
        if (at < p.column + (k > 0))
            continue;
        pen_to(&p, at);
        pen_put(&p, INK_PLAIN, "%s", c->below.tick[k].text);
    }
    pen_end(&p);
    const int room = c->columns - columns_of_text(label);
    pen_to(&p, c->left + (room > 0 ? room / 2 : 0));
    pen_put(&p, INK_PLAIN, "%s", label);
    pen_end(&p);
}

static void say_x_ends(struct report *r, const struct canvas *c, const char *label)
{
    struct pen p = pen_of(r);
    char lo[TICK_TEXT], hi[TICK_TEXT];
    axis_value(&c->x, c->x.from, lo);
    axis_value(&c->x, c->x.to, hi);
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

static void tell_axis(struct report *r, const struct plot *p, const struct canvas *c)
{
    struct buf text = {0};
    char from[TICK_TEXT], to[TICK_TEXT], middle[TICK_TEXT];
    axis_value(&c->y, c->y.least, from);
    axis_value(&c->y, c->y.greatest, to);
    buf_printf(&text, "%s: from %s to %s", p->y_label, from, to);
    if (c->y.scale == AXIS_LINEAR)
        buf_printf(&text, ", and %s is in the middle", axis_value(&c->y, middle_of(c), middle));
    else
        buf_puts(&text, ", on a logarithmic axis");
    for (unsigned k = 0; k < c->beside.count; k++)
        buf_printf(&text, "%s %s", k ? "," : " with ticks at", c->beside.tick[k].text);
    buf_putc(&text, '\n');
    pen_tell(r, &text, 0);
}

/* The points themselves; where there are many, some of them, evenly. */
static void tell_series(struct report *r, const struct plot *p, const struct plot_series *s,
                        const struct canvas *c)
{
    struct buf text = {0};
    char x[TICK_TEXT], y[TICK_TEXT];
    unsigned told = s->count < TOLD_MOST ? s->count : TOLD_MOST;
    buf_printf(&text, "%s%s%u points, %s and %s:", s->label ? s->label : "", s->label ? ": " : "",
               s->count, p->x_label, p->y_label);
    for (unsigned i = 0; i < told; i++) {
        unsigned k = told > 1 ? (unsigned)((uint64_t)i * (s->count - 1) / (told - 1)) : 0;
        buf_printf(&text, "%s %s and %s", i ? "," : "", axis_value(&c->x, s->x[k], x),
                   axis_value(&c->y, s->y[k], y));
    }
    buf_putc(&text, '\n');
    pen_tell(r, &text, 0);
}

static int left_of(const struct canvas *c)
{
    char text[TICK_TEXT];
    int widest = 0;
    for (int row = 0; row < c->rows; row++)
        if (name_of_row(c, row, text))
            widest = (int)strlen(text) > widest ? (int)strlen(text) : widest;
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
    say_x_line(r, c);
    if (c->x.scale == AXIS_LINEAR)
        say_x_ends(r, c, p->x_label);
    else
        say_x_ticks(r, c, p->x_label);
    mem_free(&allocator_libc, c->cell, size);
}

void say_plot(struct report *r, const struct plot *p)
{
    struct canvas c = {.rows = p->rows > 2 ? p->rows : USUAL_ROWS,
                       .dots = r->utf8 && p->count == 1};
    if (!plot_axes(p, &c.x, &c.y)) {
        say(r, "%s: no points yet\n", p->y_label);
        return;
    }
    if (c.y.scale != AXIS_LINEAR)
        axis_ticks(&c.y, (unsigned)c.rows / 2, &c.beside);
    c.left = left_of(&c);
    c.columns = r->width - c.left;
    if (c.x.scale != AXIS_LINEAR && c.columns > 0)
        axis_ticks(&c.x, (unsigned)c.columns / TICK_COLUMNS, &c.below);
    if (!r->plain && c.columns >= PLOT_LEAST) {
        draw(r, p, &c);
        return;
    }
    tell_axis(r, p, &c);
    for (unsigned k = 0; k < p->count; k++)
        tell_series(r, p, &p->series[k], &c);
}
