/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule of the four shuffles, written apart from the simulator so that each checks the
 * other, and a picture of one exchange.
 */
#include "labkit/shuffle.h"

#include "screen/picture.h"
#include "labkit/run.h"
#include <stdio.h>

/* More arrows are not drawn: the rows below show the same. */
enum { LANES = SHUFFLE_LANES, NOBODY = SHUFFLE_UNDEFINED, MOST_TRACKS = 4 };

/* The lane whose value a lane gets: the one at a distance, or itself where that leaves the group.
 * */
static int source_of(const struct shuffle *x, int lane)
{
    int start = lane / x->width * x->width, end = start + x->width;
    switch (x->op) {
    case SHUFFLE_DOWN: return lane + x->delta < end ? lane + x->delta : lane;
    case SHUFFLE_UP: return lane - x->delta >= start ? lane - x->delta : lane;
    /* It may reach back into an earlier group, but never forward out of its own. */
    case SHUFFLE_XOR: return (lane ^ x->delta) < end ? lane ^ x->delta : lane;
    default: return start + x->delta % x->width;
    }
}

static bool shuffle_takes_part(const struct shuffle *x, int lane)
{
    return lane < x->lanes && (x->active >> lane & 1);
}

void shuffle_sources(struct shuffle *x)
{
    for (int lane = 0; lane < LANES; lane++) {
        int from = source_of(x, lane);
        bool defined = shuffle_takes_part(x, lane) && shuffle_takes_part(x, from);
        x->source[lane] = defined ? from : NOBODY;
        x->own += x->source[lane] == lane;
        x->others += defined && from != lane;
        x->undefined += !defined && shuffle_takes_part(x, lane);
    }
    x->absent = __builtin_popcount(x->named & ~x->active);
    x->past = x->delta < x->width ? x->delta : x->width;
    x->one_past = x->past == 1;
}

bool shuffle_right(const struct shuffle *x)
{
    for (int i = 0; i < LANES; i++)
        if (x->source[i] != NOBODY && x->after[i] != x->before[x->source[i]])
            return false;
    return true;
}

static void put_row(struct picture_row *row, int lane, const int *value)
{
    row->ink[lane] = value ? INK_PLAIN : INK_BAD;
    if (value)
        snprintf(row->cell[lane], sizeof row->cell[lane], "%d", *value);
    else
        snprintf(row->cell[lane], sizeof row->cell[lane], "?");
}

static void put_nothing(struct picture_row *row, int lane)
{
    snprintf(row->cell[lane], sizeof row->cell[lane], ".");
}

/* A column of the picture: what the lane had, which lane it read, what it got. */
static void put_lane(struct picture_row rows[3], const struct shuffle *x, int lane)
{
    bool defined = x->source[lane] != NOBODY;
    if (lane < x->lanes)
        put_row(&rows[0], lane, &x->before[lane]);
    else
        put_nothing(&rows[0], lane);
    for (int k = 1; k < 3; k++)
        if (shuffle_takes_part(x, lane))
            put_row(&rows[k], lane,
                    !defined ? NULL : k == 1 ? &x->source[lane] : &x->after[lane]);
        else
            put_nothing(&rows[k], lane);
}

void shuffle_draw(const struct shuffle *x, struct report *r)
{
    struct picture_row rows[3] = {{.label = "before"}, {.label = "reads"}, {.label = "after"}};
    bool absent = false;
    for (int i = 0; i < LANES; i++) {
        put_lane(rows, x, i);
        absent = absent || !shuffle_takes_part(x, i);
    }
    say_arrows(r, x->source, LANES, MOST_TRACKS);
    say(r, "\n");
    say_picture(r, "lane", rows, sizeof rows / sizeof rows[0], LANES);
    if (x->undefined || absent)
        say(r, "\n");
    if (x->undefined)
        say_item(r, "", "%s a lane that takes no part: not defined", r->plain ? "Some lanes read" : "? reads");
    if (absent)
        say_item(r, "", "%s no part", r->plain ? "Lanes that are not named take" : ". takes");
}

/* null: there is no such lane, or what it gets is not defined. */
static void put_lanes(struct json *j, const char *key, const int *values, const struct shuffle *x,
                      bool defined_only)
{
    json_array(j, key);
    for (int i = 0; i < LANES; i++)
        if (i >= x->lanes || (defined_only && x->source[i] == NOBODY))
            json_null(j, NULL);
        else
            json_int(j, NULL, values[i]);
    json_end_array(j);
}

static void put_all_lanes(struct json *j, const void *found)
{
    const struct shuffle *x = found;
    put_lanes(j, "before", x->before, x, false);
    put_lanes(j, "after", x->after, x, true);
    put_lanes(j, "source", x->source, x, true);
}

const struct fact shuffle_facts[] = {
    {.name = "op", FACT_AT(struct shuffle, op_name)},
    {FACT(struct shuffle, delta)},
    {FACT(struct shuffle, width)},
    {.put = put_all_lanes},
    {.name = "mask", FACT_AT(struct shuffle, active), .as = AS_HEX},
    {FACT(struct shuffle, named), .as = AS_HEX},
    {.name = "ok", FACT_AT(struct shuffle, right)},
    {FACT(struct shuffle, lanes), .only = FACT_IN_TEXT},
    {FACT(struct shuffle, own), .only = FACT_IN_TEXT},
    {FACT(struct shuffle, others), .only = FACT_IN_TEXT},
    {FACT(struct shuffle, undefined), .only = FACT_IN_TEXT},
    {FACT(struct shuffle, absent), .only = FACT_IN_TEXT},
    {FACT(struct shuffle, past), .only = FACT_IN_TEXT},
    {FACT(struct shuffle, one_past), .only = FACT_IN_TEXT},
    {.name = NULL},
};
