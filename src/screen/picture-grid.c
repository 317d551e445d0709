/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Grids of cells, each of one digit or letter: heat maps of any size, and who meets in which
 * bank. A cell takes two columns where that fits, else one; more columns than the screen has
 * go on below.
 */
#include "screen/picture.h"

#include "screen/pen.h"

#include <math.h> /* its macros alone */
#include <stdio.h>
#include <string.h>

enum { LABEL = 8, STEPS = 10 };

/* ---- one line of cells ------------------------------------------------------------------ */

/* What a cell shows; '\0': nothing is there. */
struct grid_cell {
    char digit;
    enum ink ink;
};

static int cell_step(const struct report *r, unsigned columns)
{
    return LABEL + 2 * (int)columns <= r->width ? 2 : 1;
}

static unsigned columns_a_part(const struct report *r, unsigned columns)
{
    unsigned most = (unsigned)(r->width - LABEL);
    return columns < most ? columns : most;
}

static void put_one_cell(struct pen *p, struct grid_cell c, int step)
{
    if (c.digit)
        pen_put(p, c.ink, "%*c", step, c.digit);
    else
        pen_right(p, INK_PLAIN, p->report->utf8 ? "·" : ".", p->column + step);
}

static void put_label(struct pen *p, const char *name, unsigned number)
{
    char text[16];
    int digits = snprintf(text, sizeof text, "%u", number);
    pen_put(p, INK_PLAIN, "%.*s", digits < LABEL - 2 ? LABEL - 2 - digits : 0, name);
    pen_right(p, INK_PLAIN, text, LABEL - 1);
    pen_to(p, LABEL);
}

/* The numbers of the columns: each where there is room for one, else each tenth. */
static void say_column_numbers(struct report *r, const char *name, unsigned from, unsigned count,
                               int step)
{
    struct pen tens = pen_of(r), ones = pen_of(r);
    for (unsigned i = from; i < from + count; i++)
        if (i / 10 && (i % 10 == 0 || i == from)) {
            char text[16];
            int n = snprintf(text, sizeof text, "%u", i / 10);
            int end = LABEL + step * (int)(i - from + 1);
            pen_to(&tens, end - n > tens.column ? end - n : tens.column);
            pen_put(&tens, INK_HEADING, "%s", text);
        }
    if (tens.column)
        pen_end(&tens);
    pen_put(&ones, INK_HEADING, "%.7s", name);
    pen_to(&ones, LABEL);
    pen_numbers(&ones, from, from + count, step);
    pen_end(&ones);
}

/* ---- heat maps -------------------------------------------------------------------------- */

static struct grid_cell heat_cell(double v, const struct extremes *range)
{
    if (!isfinite(v))
        return (struct grid_cell){0};
    enum ink ink = ink_heat(v, range->lo, range->hi);
    return (struct grid_cell){(char)('0' + (ink - INK_HEAT)), ink};
}

/* Each digit with the least value that it stands for. */
static void say_legend(struct report *r, const struct extremes *range)
{
    struct pen p = pen_of(r);
    for (int step = 0; step < STEPS; step++) {
        double from = range->lo + (range->hi - range->lo) * step / STEPS;
        char text[32];
        int n = snprintf(text, sizeof text, " %.4g", from);
        if (p.column && p.column + 3 + n > r->width)
            pen_end(&p);
        pen_to(&p, p.column ? p.column + 2 : 2);
        pen_put(&p, (enum ink)(INK_HEAT + step), "%d", step);
        pen_put(&p, INK_PLAIN, "%s", text);
    }
    pen_end(&p);
}

static void tell_heat(struct report *r, const struct heat_map *m)
{
    for (unsigned y = 0; y < m->rows; y++) {
        struct buf text = {0};
        buf_printf(&text, "%s %u:", m->row_name, y);
        for (unsigned x = 0; x < m->columns; x++) {
            double v = m->values[(size_t)y * m->columns + x];
            buf_printf(&text, isfinite(v) ? " %.4g" : " none", v);
        }
        pen_tell(r, &text, 0);
    }
}

void say_heat_map(struct report *r, const struct heat_map *m)
{
    struct extremes range = extremes_of(m->values, (size_t)m->rows * m->columns);
    int step = cell_step(r, m->columns);
    unsigned part = columns_a_part(r, m->columns);
    if (r->plain) {
        tell_heat(r, m);
        return;
    }
    for (unsigned from = 0; from < m->columns; from += part) {
        unsigned count = m->columns - from < part ? m->columns - from : part;
        say_column_numbers(r, m->column_name, from, count, step);
        for (unsigned y = 0; y < m->rows; y++) {
            struct pen p = pen_of(r);
            put_label(&p, m->row_name, y);
            for (unsigned x = from; x < from + count; x++)
                put_one_cell(&p, heat_cell(m->values[(size_t)y * m->columns + x], &range), step);
            pen_end(&p);
        }
    }
    if (!m->bare)
        say_legend(r, &range);
}

/* ---- banks ------------------------------------------------------------------------------ */

static int highest_number(const struct bank_grid *g)
{
    int most = 0;
    for (unsigned y = 0; y < g->rows; y++)
        for (unsigned x = 0; x < g->banks; x++)
            most = g->cell[y][x] > most ? g->cell[y][x] : most;
    return most;
}

static struct grid_cell bank_cell(unsigned char number, int most)
{
    static const char digits[] = ".123456789abcdefghijklmnopqrstuvwxyz";
    if (!number)
        return (struct grid_cell){0};
    return (struct grid_cell){digits[number < 35 ? number : 35],
                              ink_heat(number, 1, most < 8 ? 8 : most)};
}

static void tell_bank_row(struct report *r, const struct bank_grid *g, unsigned y)
{
    struct buf text = {0};
    bool any = false;
    buf_printf(&text, "%s %u:", g->row_name, y);
    for (unsigned x = 0; x < g->banks; x++)
        if (g->cell[y][x]) {
            buf_printf(&text, "%s bank %u, %s %d", any ? ";" : "", x, g->meaning, g->cell[y][x]);
            any = true;
        }
    buf_puts(&text, any ? "\n" : " none\n");
    pen_tell(r, &text, 0);
}

void say_bank_grid(struct report *r, const struct bank_grid *g)
{
    int step = cell_step(r, g->banks), most = highest_number(g);
    if (!r->plain)
        say_column_numbers(r, "bank", 0, g->banks, step);
    for (unsigned y = 0; y < g->rows; y++) {
        if (r->plain) {
            tell_bank_row(r, g, y);
            continue;
        }
        struct pen p = pen_of(r);
        put_label(&p, g->row_name, y);
        for (unsigned x = 0; x < g->banks; x++)
            put_one_cell(&p, bank_cell(g->cell[y][x], most), step);
        pen_end(&p);
    }
    if (r->plain)
        return;
    struct buf legend = {0};
    buf_printf(&legend, "%s: %s\n", most > 9 ? "1 to 9, a, b, ..." : "1, 2, ...", g->meaning);
    pen_tell(r, &legend, 2);
}
