/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing lines by columns. Everything in a picture goes through here, and so is painted,
 * cleaned of control characters and measured in one place.
 */
#include "screen/pen.h"

#include "screen/columns.h"
#include "screen/wrap.h"

#include <math.h> /* its macros alone */
#include <string.h>

struct pen pen_of(struct report *r)
{
    return (struct pen){.report = r};
}

void pen_to(struct pen *p, int column)
{
    p->column = column > p->column ? column : p->column;
}

void pen_text(struct pen *p, enum ink ink, const char *text, size_t n)
{
    if (!n)
        return;
    say(p->report, "%*s", p->column - p->written, "");
    paint(p->report, &p->report->screen, ink, text, n);
    p->column += columns_of(text, n);
    p->written = p->column;
}

void pen_put(struct pen *p, enum ink ink, const char *fmt, ...)
{
    struct buf text = {0};
    WITH_ARGS(fmt, buf_vprintf(&text, fmt, args));
    pen_text(p, ink, buf_text(&text), text.len);
    report_said(p->report, &text);
}

void pen_right(struct pen *p, enum ink ink, const char *text, int end)
{
    pen_to(p, end - columns_of_text(text));
    pen_text(p, ink, text, strlen(text));
}

void pen_numbers(struct pen *p, unsigned from, unsigned to, int width)
{
    struct buf text = {0};
    for (unsigned i = from; i < to; i++)
        buf_printf(&text, "%*u", width, width > 2 ? i : i % 10);
    pen_text(p, INK_HEADING, buf_text(&text), text.len);
    report_said(p->report, &text);
}

void pen_end(struct pen *p)
{
    say(p->report, "\n");
    p->column = p->written = 0;
}

void pen_tell(struct report *r, struct buf *sentences, int indent)
{
    say(r, "%*s", indent, "");
    text_wrap(&r->screen, buf_text(sentences), sentences->len, r->width, indent);
    report_said(r, sentences);
}

void say_heading(struct report *r, const char *fmt, ...)
{
    struct buf text = {0}, lines = {0};
    WITH_ARGS(fmt, buf_vprintf(&text, fmt, args));
    text_wrap(&lines, buf_text(&text), text.len, r->width, 0);
    paint(r, &r->screen, INK_HEADING, buf_text(&lines), lines.len);
    report_said(r, &text);
    report_said(r, &lines);
}

struct extremes extremes_of(const double *values, size_t count)
{
    struct extremes e = {0};
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            continue;
        e.lo = !e.counted || values[i] < e.lo ? values[i] : e.lo;
        e.hi = !e.counted || values[i] > e.hi ? values[i] : e.hi;
        e.counted++;
    }
    return e;
}
