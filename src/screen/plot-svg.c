/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plots as an SVG file, which needs nothing else: axes with ticks and lines across, a curve for
 * each series, and which is which above them. All coordinates are written in tenths by whole
 * numbers, so a file has the same bytes on every machine.
 */
#include "screen/picture.h"

#include "screen/columns.h"
#include "screen/html.h"

#include <math.h> /* its macros alone */
#include <string.h>

enum { WIDE = 720, HIGH = 420 }; /* of one plot */
enum { LEFT = 84, RIGHT = 24, ABOVE = 34, BELOW = 58 }; /* around its curves */
enum { TITLE = 40, LINE_HIGH = 20, SIZE = 14, NAMES_IN_LINE = 4, MARK = 5 };
enum { TICKS_X = 9, TICKS_Y = 7, LOOKS = 7 };

/* Colours by Okabe and Ito without yellow, which is too light on white. */
static const struct svg_look {
    unsigned colour;
    const char *dashes; /* NULL: an unbroken line */
    const char *mark;   /* a path around 0,0 */
} looks[LOOKS] = {{0x0072B2, NULL, "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z"},
                  {0xD55E00, "8 4", "M-4 -4H4V4H-4Z"},
                  {0x009E73, "2 3", "M0 -5L5 4H-5Z"},
                  {0xCC79A7, "10 3 2 3", "M0 -5L5 0L0 5L-5 0Z"},
                  {0x000000, "5 2", "M0 5L5 -4H-5Z"},
                  {0xE69F00, "12 4 4 4", "M-5 -1.5H-1.5V-5H1.5V-1.5H5V1.5H1.5V5H-1.5V1.5H-5Z"},
                  {0x56B4E9, "1 4", "M-4 -5L0 -1L4 -5L5 -4L1 0L5 4L4 5L0 1L-4 5L-5 4L-1 0L-5 -4Z"}};

struct svg_area { /* of the curves */
    struct plot_axis x, y;
    int top, bottom;
};

static void put_tenths(struct buf *out, double v)
{
    const int tenths = (int)(v * 10 + (v < 0 ? -0.5 : 0.5));
    const int size = tenths < 0 ? -tenths : tenths;
    buf_printf(out, "%s%d.%d", tenths < 0 ? "-" : "", size / 10, size % 10);
}

static void put_text(struct buf *out, double x, double y, const char *anchor, const char *text)
{
    buf_puts(out, "<text x=\"");
    put_tenths(out, x);
    buf_puts(out, "\" y=\"");
    put_tenths(out, y);
    buf_printf(out, "\" text-anchor=\"%s\">", anchor);
    html_text(out, text, strlen(text));
    buf_puts(out, "</text>\n");
}

static void put_segment(struct buf *out, double x0, double y0, double x1, double y1,
                        const char *colour)
{
    buf_puts(out, "<path d=\"M");
    put_tenths(out, x0);
    buf_putc(out, ' ');
    put_tenths(out, y0);
    buf_putc(out, 'L');
    put_tenths(out, x1);
    buf_putc(out, ' ');
    put_tenths(out, y1);
    buf_printf(out, "\" stroke=\"%s\"/>\n", colour);
}

static double part(double at, const struct plot_axis *a)
{
    return a->to > a->from ? (at - a->from) / (a->to - a->from) : 0.5;
}

static double to_x(const struct svg_area *a, double place)
{
    return LEFT + part(place, &a->x) * (WIDE - LEFT - RIGHT);
}

static double to_y(const struct svg_area *a, double place)
{
    return a->bottom - part(place, &a->y) * (a->bottom - a->top);
}

/* ---- the frame -------------------------------------------------------------------------- */

/* 10^6 and 2*10^6 as people write them by hand. */
static void put_tick(struct buf *out, double x, double y, const char *anchor, const char *text)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    struct buf written = {0};
    bool power = false;
    for (; *text; text++)
        if (*text == '^')
            power = true;
        else if (power && is_digit(*text))
            buf_puts(&written, raised[*text - '0']);
        else
            buf_puts(&written, power ? "⁻" : *text == '*' ? "·" : (char[]){*text, '\0'});
    put_text(out, x, y, anchor, buf_text(&written));
    out->failed = out->failed || written.failed;
    buf_free(&written);
}

static const char grid[] = "#d8d8d8", black[] = "#000000";

static void put_x_ticks(struct buf *out, const struct svg_area *a, const struct plot *p)
{
    struct ticks t;
    axis_ticks(&a->x, TICKS_X, &t);
    for (unsigned k = 0; k < (p->x_names ? p->x_named : t.count); k++) {
        const double x = to_x(a, p->x_names ? k + 1 : t.tick[k].at);
        put_segment(out, x, a->top, x, a->bottom + 5, grid);
        if (p->x_names) /* they may be long, so that neighbours stand at two heights */
            put_text(out, x, a->bottom + 18 + (k % 2) * 14, "middle", p->x_names[k]);
        else
            put_tick(out, x, a->bottom + 20, "middle", t.tick[k].text);
    }
}

static void put_frame(struct buf *out, const struct svg_area *a, const struct plot *p)
{
    const double left = LEFT, right = WIDE - RIGHT;
    struct ticks t;
    put_x_ticks(out, a, p);
    axis_ticks(&a->y, TICKS_Y, &t);
    for (unsigned k = 0; k < t.count; k++) {
        const double y = to_y(a, t.tick[k].at);
        put_segment(out, left - 5, y, right, y, grid);
        put_tick(out, left - 9, y + 5, "end", t.tick[k].text);
    }
    put_segment(out, left, a->top, left, a->bottom, black);
    put_segment(out, left, a->bottom, right, a->bottom, black);
    put_text(out, (left + right) / 2, a->bottom + 50, "middle", p->x_label);
}

/* The name of the vertical axis, and of each curve where there are several. Returns where they end.
 */
static int put_names(struct buf *out, const struct plot *p, int top)
{
    put_text(out, 12, top + SIZE, "start", p->y_label);
    if (p->count < 2)
        return top + ABOVE;
    top += LINE_HIGH + 6;
    for (unsigned k = 0; k < p->count; k++) {
        const struct svg_look *l = &looks[k % LOOKS];
        const double x = LEFT + (double)(k % NAMES_IN_LINE) * (WIDE - LEFT - RIGHT) / NAMES_IN_LINE;
        const double y = top + (double)(k / NAMES_IN_LINE) * LINE_HIGH + SIZE - 5;
        buf_puts(out, "<g transform=\"translate(");
        put_tenths(out, x);
        buf_putc(out, ' ');
        put_tenths(out, y);
        buf_printf(out, ")\"><path d=\"M0 0H32\" stroke=\"#%06x\" stroke-width=\"2\"", l->colour);
        if (l->dashes)
            buf_printf(out, " stroke-dasharray=\"%s\"", l->dashes);
        buf_printf(out, "/><path d=\"%s\" transform=\"translate(16 0)\" fill=\"#%06x\"/></g>\n",
                   l->mark, l->colour);
        put_text(out, x + 40, y + MARK, "start", p->series[k].label);
    }
    return top + (int)((p->count + NAMES_IN_LINE - 1) / NAMES_IN_LINE) * LINE_HIGH + 14;
}

/* ---- the curves ------------------------------------------------------------------------- */

static bool has_place(const struct svg_area *a, const struct plot_series *s, unsigned i)
{
    return isfinite(axis_place(&a->x, s->x[i])) && isfinite(axis_place(&a->y, s->y[i]));
}

static void put_point(struct buf *out, const struct svg_area *a, const struct plot_series *s,
                      unsigned i)
{
    put_tenths(out, to_x(a, axis_place(&a->x, s->x[i])));
    buf_putc(out, ' ');
    put_tenths(out, to_y(a, axis_place(&a->y, s->y[i])));
}

static void put_curve(struct buf *out, const struct svg_area *a, const struct plot_series *s,
                      const struct svg_look *l)
{
    bool joined = false;
    buf_printf(out, "<path fill=\"none\" stroke=\"#%06x\" stroke-width=\"2\"", l->colour);
    if (l->dashes)
        buf_printf(out, " stroke-dasharray=\"%s\"", l->dashes);
    buf_puts(out, " d=\"");
    for (unsigned i = 0; i < s->count; i++) {
        const bool here = has_place(a, s, i);
        if (here) {
            buf_putc(out, joined && s->joined ? 'L' : 'M');
            put_point(out, a, s, i);
        }
        joined = here;
    }
    buf_puts(out, "\"/>\n");
    for (unsigned i = 0; i < s->count; i++) {
        if (!has_place(a, s, i))
            continue;
        buf_printf(out, "<path d=\"%s\" fill=\"#%06x\" transform=\"translate(", l->mark, l->colour);
        put_point(out, a, s, i);
        buf_puts(out, ")\"/>\n");
    }
}

static void put_plot(struct buf *out, const struct plot *p, int top)
{
    struct svg_area a = {.bottom = top + HIGH - BELOW};
    a.top = put_names(out, p, top);
    if (!plot_axes(p, &a.x, &a.y)) {
        put_text(out, WIDE / 2.0, top + HIGH / 2.0, "middle", "no points");
        return;
    }
    if (p->x_names) { /* half a step of room at both ends */
        a.x.from = 0.5;
        a.x.to = p->x_named + 0.5;
    }
    put_frame(out, &a, p);
    for (unsigned k = 0; k < p->count; k++)
        put_curve(out, &a, &p->series[k], &looks[k % LOOKS]);
}

void plots_svg(struct buf *out, const char *title, const struct plot *plots, unsigned count)
{
    const int high = TITLE + (int)count * HIGH;
    buf_printf(out,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
               "viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"sans-serif\" font-size=\"%d\">\n"
               "<title>",
               WIDE, high, WIDE, high, SIZE);
    html_text(out, title, strlen(title));
    buf_printf(out,
               "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
               "<g font-weight=\"bold\">\n",
               WIDE, high);
    put_text(out, 12, 26, "start", title);
    buf_puts(out, "</g>\n");
    for (unsigned k = 0; k < count; k++)
        put_plot(out, &plots[k], TITLE + (int)k * HIGH);
    buf_puts(out, "</svg>\n");
}
