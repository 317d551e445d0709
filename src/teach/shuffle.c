/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule of the four shuffles, written apart from the simulator so that each checks the
 * other, and a picture of one exchange.
 */
#include "teach/shuffle.h"

#include "teach/picture.h"
#include <stdio.h>

enum { LANES = SHUFFLE_LANES, NOBODY = SHUFFLE_UNDEFINED };

/* Whose value a lane gets: the lane at a distance, or its own where that leaves the group. */
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

bool shuffle_takes_part(const struct shuffle *x, int lane)
{
    return lane < x->lanes && (x->active >> lane & 1);
}

void shuffle_sources(struct shuffle *x)
{
    for (int lane = 0; lane < LANES; lane++) {
        int from = source_of(x, lane);
        bool defined = shuffle_takes_part(x, lane) && shuffle_takes_part(x, from);
        x->source[lane] = defined ? from : NOBODY;
    }
}

bool shuffle_right(const struct shuffle *x)
{
    for (int i = 0; i < LANES; i++)
        if (x->source[i] != NOBODY && x->after[i] != x->before[x->source[i]])
            return false;
    return true;
}

/* An arrow to where the value comes from: right, left, the lane itself, or not defined. */
static const char *arrow(const struct shuffle *x, int lane, bool utf8)
{
    static const char *const ascii[] = {">", "<", "=", "?", "."};
    static const char *const fine[] = {"→", "←", "=", "?", "·"};
    int from = x->source[lane];
    int k = !shuffle_takes_part(x, lane) ? 4
            : from == NOBODY             ? 3
            : from == lane               ? 2
            : from < lane                ? 1
                                         : 0;
    return (utf8 ? fine : ascii)[k];
}

void shuffle_draw(const struct shuffle *x, struct report *r)
{
    struct picture_row rows[] = {
        {.label = "before"}, {.label = "looks"}, {.label = "reads"}, {.label = "after"}};
    for (int i = 0; i < LANES; i++) {
        bool defined = x->source[i] != NOBODY;
        const char *none = shuffle_takes_part(x, i) ? "?" : ".";
        snprintf(rows[0].cell[i], 12, "%d", x->before[i]);
        if (i >= x->lanes)
            snprintf(rows[0].cell[i], 12, ".");
        snprintf(rows[1].cell[i], 12, "%s", arrow(x, i, r->utf8));
        snprintf(rows[2].cell[i], 12, "%d", x->source[i]);
        snprintf(rows[3].cell[i], 12, "%d", x->after[i]);
        if (!defined) {
            snprintf(rows[2].cell[i], 12, "%s", none);
            snprintf(rows[3].cell[i], 12, "%s", none);
        }
    }
    say_picture(r, "lane", rows, sizeof rows / sizeof rows[0], LANES);
    say(r,
        "\n  looks: %s at a higher lane, %s at a lower one, = at itself,\n"
        "         ? at one that takes no part, %s takes no part itself\n",
        r->utf8 ? "→" : ">", r->utf8 ? "←" : "<", r->utf8 ? "·" : ".");
}
