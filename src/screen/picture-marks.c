/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The 32 lanes of warps, one letter each: who does what, in as many rows as there are warps. Rows
 * that look alike follow each other as one, and the eights are set apart to be counted. Where 32
 * lanes are too wide, 16 or 8 stand side by side.
 */
#include "screen/picture.h"

#include "screen/pen.h"

#include <stdio.h>
#include <string.h>

enum { LABEL = 12, LANES = 32 };

static void label_text(const struct lane_marks *rows, unsigned from, unsigned to, char out[40])
{
    if (to - from == 1)
        snprintf(out, 40, "%.10s %u", rows->name, from);
    else
        snprintf(out, 40, "%.10ss %u-%u", rows->name, from, to - 1);
}

static int column_of(int lane, int from)
{
    return LABEL + (lane - from) + (lane - from) / 8;
}

static int lanes_a_part(const struct report *r)
{
    int lanes = LANES;
    while (lanes > 8 && column_of(lanes, 0) > r->width + 1)
        lanes /= 2;
    return lanes;
}

static void say_numbers(struct report *r, int from, int to)
{
    struct pen p = pen_of(r);
    pen_put(&p, INK_HEADING, "lane");
    for (int lane = from; lane < to; lane += 8) {
        pen_to(&p, column_of(lane, from));
        pen_put(&p, INK_HEADING, "%d", lane);
    }
    pen_end(&p);
}

static void draw_row(struct report *r, const char *label, const char mark[LANES], int from, int to)
{
    struct pen p = pen_of(r);
    pen_put(&p, INK_PLAIN, "%s", label);
    for (int lane = from; lane < to; lane++)
        if (mark[lane] != ' ') {
            pen_to(&p, column_of(lane, from));
            pen_put(&p, mark[lane] == '.' ? INK_PLAIN : ink_category((unsigned)mark[lane] % 32 - 1),
                    "%c", mark[lane]);
        }
    pen_end(&p);
}

/* Says a row: "warp 1: lanes 0 to 7 are at A; 8 to 31 at none." */
static void tell_row(struct report *r, const char *label, const char mark[LANES])
{
    struct buf text = {0};
    bool any = false;
    buf_printf(&text, "%s:", label);
    for (int from = 0, to; from < LANES; from = to) {
        for (to = from; to < LANES && mark[to] == mark[from]; to++)
            ;
        if (mark[from] == ' ')
            continue;
        buf_printf(&text, to - from > 1 ? "%s %d to %d" : "%s %d", any ? ";" : " lanes", from,
                   to - 1);
        buf_printf(&text, mark[from] == '.' ? "%s none" : "%s %c", any ? " at" : " are at", mark[from]);
        any = true;
    }
    buf_puts(&text, ".\n");
    pen_tell(r, &text, 0);
}

static void say_rows(struct report *r, const struct lane_marks *rows, int from, int to)
{
    for (unsigned k = 0, end; k < rows->count; k = end) {
        char label[40];
        for (end = k + 1; end < rows->count; end++)
            if (memcmp(rows->mark[k], rows->mark[end], LANES) != 0)
                break;
        label_text(rows, k, end, label);
        if (r->plain)
            tell_row(r, label, rows->mark[k]);
        else
            draw_row(r, label, rows->mark[k], from, to);
    }
}

void say_lane_marks(struct report *r, const struct lane_marks *rows)
{
    int part = r->plain ? LANES : lanes_a_part(r);
    for (int from = 0; from < LANES; from += part) {
        if (!r->plain)
            say_numbers(r, from, from + part);
        say_rows(r, rows, from, from + part);
    }
}
