/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * 32 lanes or banks side by side: rows of short cells, in parts of 16, 8 or 4 that the width
 * allows; and arrows between lanes, all 32 in one line, two columns each where they fit.
 *
 * An arrow is a stretch of one line, a track, from the lane that is read to those that read
 * it. Tracks are filled greedily: an arrow goes into the first one where nothing is in its way.
 */
#include "screen/picture.h"

#include "screen/pen.h"

#include <string.h>

enum { LABEL = 8, CELL = 4, LANES = 32, MOST_TRACKS = 32 };

/* ---- rows of cells ---------------------------------------------------------------------- */

/* How wide a column is, with the blank before it. */
static int cell_width(const struct picture_row *rows, unsigned count, unsigned columns)
{
    size_t widest = CELL - 1;
    for (unsigned k = 0; k < count; k++)
        for (unsigned i = 0; i < columns; i++)
            if (strlen(rows[k].cell[i]) > widest)
                widest = strlen(rows[k].cell[i]);
    return (int)widest + 1;
}

static void say_part(struct report *r, const struct picture_row *row, unsigned from, unsigned to,
                     int width)
{
    struct pen p = pen_of(r);
    pen_put(&p, INK_PLAIN, "%s", row->label);
    for (unsigned i = from; i < to; i++) {
        int end = LABEL + width * (int)(i - from + 1);
        if (!row->ink[i]) {
            pen_right(&p, INK_PLAIN, row->cell[i], end);
            continue;
        }
        pen_to(&p, end - width + 1);
        pen_put(&p, row->ink[i], "%*s", width - 1, row->cell[i]);
    }
    pen_end(&p);
}

static void say_numbers(struct report *r, const char *label, unsigned from, unsigned to,
                        int width)
{
    struct pen p = pen_of(r);
    pen_put(&p, INK_HEADING, "%s", label);
    pen_to(&p, LABEL);
    pen_numbers(&p, from, to, width);
    pen_end(&p);
}

/* "lanes: 32 at 0; 1 at 5": what is not a dot. */
static void tell_row(struct report *r, const char *label, const struct picture_row *row,
                     unsigned columns)
{
    struct buf text = {0};
    bool any = false;
    buf_printf(&text, "%s:", row->label);
    for (unsigned i = 0; i < columns; i++) {
        if (strcmp(row->cell[i], ".") == 0)
            continue;
        buf_printf(&text, "%s %s in %s %u", any ? "," : "",
                   strcmp(row->cell[i], "?") == 0 ? "no defined value" : row->cell[i], label, i);
        any = true;
    }
    buf_puts(&text, any ? ".\n" : " nothing.\n");
    pen_tell(r, &text, 0);
}

static bool is_idle(const struct picture_row *row, unsigned from, unsigned to)
{
    while (from < to && strcmp(row->cell[from], ".") == 0)
        from++;
    return from == to;
}

void say_picture(struct report *r, const char *label, const struct picture_row *rows,
                 unsigned count, unsigned columns)
{
    unsigned part = 16;
    int width = cell_width(rows, count, columns);
    while (part > 4 && LABEL + width * (int)part > r->width)
        part /= 2;
    for (unsigned k = 0; r->plain && k < count; k++)
        tell_row(r, label, &rows[k], columns);
    for (unsigned from = 0; !r->plain && from < columns; from += part) {
        if (from)
            say(r, "\n");
        unsigned to = from + part < columns ? from + part : columns;
        say_numbers(r, label, from, to, width);
        for (unsigned k = 0; k < count; k++)
            if (!rows[k].may_go || !is_idle(&rows[k], from, to))
                say_part(r, &rows[k], from, to, width);
    }
}

/* ---- arrows ----------------------------------------------------------------------------- */

/* What one lane gives, and how far its arrow reaches; none where it gives to nobody else. */
struct arrow {
    int first, last, track;
    uint32_t takers;
};

static void find_reach(const int *source, int lanes, struct arrow *reach)
{
    for (int from = 0; from < lanes; from++) {
        reach[from] = (struct arrow){from, from, -1, 0};
        for (int to = 0; to < lanes; to++)
            if (source[to] == from && to != from) {
                reach[from].takers |= UINT32_C(1) << to;
                reach[from].first = to < reach[from].first ? to : reach[from].first;
                reach[from].last = to > reach[from].last ? to : reach[from].last;
            }
    }
}

/* Give each arrow a track; how many tracks that takes. */
static int lay_tracks(struct arrow *reach, int lanes)
{
    uint32_t used[MOST_TRACKS] = {0};
    int tracks = 0;
    for (int from = 0; from < lanes; from++) {
        struct arrow *a = &reach[from];
        uint64_t stretch = (UINT64_C(2) << a->last) - (UINT64_C(1) << a->first);
        if (!a->takers)
            continue;
        a->track = 0;
        while (used[a->track] & stretch)
            a->track++;
        used[a->track] |= (uint32_t)stretch;
        tracks = a->track >= tracks ? a->track + 1 : tracks;
    }
    return tracks;
}

enum arrow_part { GAP, LINE, HEAD_LEFT, HEAD_RIGHT, TAIL_LEFT, TAIL_RIGHT, TAIL_BOTH };

static void draw_arrow(enum arrow_part *line, const struct arrow *a, int from, int step)
{
    for (int c = a->first * step; c <= a->last * step; c++)
        line[c] = LINE;
    line[from * step] = a->first == from ? TAIL_RIGHT : a->last == from ? TAIL_LEFT : TAIL_BOTH;
    for (int to = a->first; to <= a->last; to++)
        if (a->takers >> to & 1)
            line[to * step] = to < from ? HEAD_LEFT : HEAD_RIGHT;
}

static void say_track(struct report *r, const struct arrow *reach, int lanes, int track, int step)
{
    static const char *const ascii[] = {" ", "-", "<", ">", "+", "+", "+"};
    static const char *const fine[] = {" ", "─", "◄", "►", "┘", "└", "┴"};
    enum arrow_part line[2 * LANES] = {GAP};
    struct pen p = pen_of(r);
    for (int from = 0; from < lanes; from++)
        if (reach[from].track == track)
            draw_arrow(line, &reach[from], from, step);
    for (int c = 0; c < lanes * step; c++) {
        pen_to(&p, LABEL + (step == 2) + c);
        if (line[c] != GAP)
            pen_put(&p, INK_PLAIN, "%s", (r->utf8 ? fine : ascii)[line[c]]);
    }
    pen_end(&p);
}

/* 0 1 2 ... with the tens in a line above. */
static void say_lane_numbers(struct report *r, int lanes, int step)
{
    struct pen tens = pen_of(r);
    for (int lane = 0; lane < lanes; lane += 10) {
        pen_to(&tens, LABEL + (step == 2) + lane * step);
        if (lane)
            pen_put(&tens, INK_HEADING, "%d", lane / 10);
    }
    pen_end(&tens);
    struct pen ones = pen_of(r);
    pen_put(&ones, INK_HEADING, "lane");
    pen_to(&ones, LABEL);
    pen_numbers(&ones, 0, (unsigned)lanes, step);
    pen_end(&ones);
}

/* "Lane 0 takes its value from lane 1, 1 from 2, ..." */
static void tell_arrows(struct report *r, const int *source, int lanes)
{
    struct buf text = {0};
    int told = 0;
    for (int to = 0; to < lanes; to++)
        if (source[to] != PICTURE_NO_LANE && source[to] != to)
            buf_printf(&text, told++ ? ", %d from %d" : "Lane %d takes its value from lane %d", to,
                       source[to]);
    buf_puts(&text, told ? ".\n" : "No lane gets another lane's value.\n");
    pen_tell(r, &text, 0);
}

void say_arrows(struct report *r, const int *source, int lanes, int tracks)
{
    struct arrow reach[LANES];
    int left = 0, step = LABEL + 2 * LANES <= r->width ? 2 : 1;
    if (r->plain) {
        tell_arrows(r, source, lanes);
        return;
    }
    find_reach(source, lanes, reach);
    int all = lay_tracks(reach, lanes);
    say_lane_numbers(r, lanes, step);
    for (int track = 0; track < all && track < tracks; track++)
        say_track(r, reach, lanes, track, step);
    for (int from = 0; from < lanes; from++)
        left += reach[from].track >= tracks;
    if (left)
        say(r, "%*sand %d arrow%s more\n", LABEL + (step == 2), "", left, left == 1 ? "" : "s");
}
