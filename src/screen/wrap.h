/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts, lines of source and lines with a label, wrapped at a width.
 */
#ifndef SCREEN_WRAP_H
#define SCREEN_WRAP_H

#include "base/buf.h"
#include "screen/report.h"

enum { REMARK_LEAST = 24 }; /* columns that a text beside another one needs */

/* Wrap text at width. The first line is taken to start at column `indent` already, the others
 * get so many blanks. Lines that start with a blank stay as they are, or, where too long, have
 * their last column broken; a blank line ends a paragraph. Ends with a newline. */
void text_wrap(struct buf *out, const char *text, size_t n, int width, int indent);
/* A text on the screen, wrapped at its width: the first line goes on where the screen ends. */
void say_wrapped(struct report *, int indent, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* A line of source as it is, after as many columns as `lead` has; what doesn't fit goes on
 * after `lead`, set in deeper than the line itself. It breaks at a blank where there is one. */
void code_wrap(struct buf *out, const char *text, size_t n, int width, const char *lead);
/* A line of a compiler's log, wrapped at the width. A mark below a column that the screen doesn't
 * have is left out. */
void log_wrap(struct buf *out, struct span line, int width);
/* Two texts of wrapped lines side by side, the right one from `column` on, behind a mark in the
 * column before; mark ' ': none. */
void say_columns(struct report *, const struct buf *left, const struct buf *right, int column,
                char mark);

/* "  atomics    32,768    one per warp": on one line where it fits, else broken at the wide gaps. */
void say_item(struct report *, const char *label, const char *fmt, ...) PRINTF_LIKE(3, 4);
void say_item_text(struct report *, const char *label, struct buf *text); /* painted; frees it */
void drop_newlines(struct buf *); /* those at its end */
int screen_column(const struct report *); /* how many columns its last line takes so far */

#endif
