/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colours, by what they mean. This is the only place that writes an escape: text is painted
 * whole, each line of it closed at its end, and where the screen shows no colours (report.h)
 * it stays as it is. A colour never says anything alone: what it marks is a word, or a cell
 * with a digit or a letter in it.
 */
#ifndef SCREEN_PAINT_H
#define SCREEN_PAINT_H

#include "base/lines.h"
#include "screen/report.h"

enum { INK_CATEGORIES = 7, INK_HEATS = 10 };

enum ink {
    INK_PLAIN,
    INK_HEADING, /* Why, Try, the heads of a table */
    INK_GOOD, INK_BAD, /* a verdict; bad also what is wrong on purpose */
    INK_COMMAND, /* to be typed */
    INK_DIM,     /* beside the point */
    INK_CATEGORY, /* and the six that follow: kinds of things; a background with its text */
    INK_HEAT = INK_CATEGORY + INK_CATEGORIES, /* and the nine that follow: how much */
    INKS = INK_HEAT + INK_HEATS
};

enum ink ink_category(unsigned k);              /* they come round again */
enum ink ink_heat(double value, double lo, double hi);

/* Put text into out, in an ink. Its control characters become `?`, but for newlines. */
void paint(const struct report *, struct buf *out, enum ink, const char *text, size_t n);
/* The escape that is open after a painted text, where `open` was before it; empty: none is. */
struct span paint_follow(struct span open, struct span text);
void paint_close(struct buf *out, struct span open);
void say_in(struct report *, enum ink, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
