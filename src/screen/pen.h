/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line of a picture, written from left to right: what stands at which column, whatever its
 * characters are wide. Blanks are only written before something else, so that no line ends
 * in them.
 */
#ifndef SCREEN_PEN_H
#define SCREEN_PEN_H

#include "screen/paint.h"

struct pen {
    struct report *report;
    int column;  /* where it writes next, 0 at first */
    int written; /* where the last text ended */
};

struct pen pen_of(struct report *);
void pen_text(struct pen *, enum ink, const char *text, size_t n);
void pen_put(struct pen *, enum ink, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Numbers from `from` to `to` - 1, in columns of this width; of two or less, the last digits. */
void pen_numbers(struct pen *, unsigned from, unsigned to, int width);
void pen_right(struct pen *, enum ink, const char *text, int end); /* so that it ends there */
void pen_to(struct pen *, int column); /* never back */
void pen_end(struct pen *);            /* the line ends; the next one begins */

/* What stands over a picture, broken at the width. */
void say_heading(struct report *, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* What a picture says where it can't be drawn: sentences, broken at the width. Frees them. */
void pen_tell(struct report *, struct buf *sentences, int indent);

/* The least and the greatest of some values. */
struct extremes {
    double lo, hi;
    size_t counted; /* values that are finite; the others don't count */
};
struct extremes extremes_of(const double *values, size_t count);

#endif
