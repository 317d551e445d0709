/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two texts held against each other line by line, so that one line more in one of them doesn't
 * make all that follow differ.
 */
#ifndef TEXT_MATCH_H
#define TEXT_MATCH_H

#include "base/err.h"
#include "base/lines.h"

#include <stdbool.h>

struct text_lines {
    struct span *line;
    unsigned count;
};
int text_lines(struct text_lines *, const char *text, size_t n, struct err *);
void text_lines_free(struct text_lines *);

enum { NO_LINE = -1 };

/* A line of either text, or of both: the same in both, or one in place of the other. */
struct match_row {
    int a, b; /* NO_LINE: it has none here */
    bool same;
};

struct match {
    struct match_row *row;
    unsigned count, differing;
};
int match_lines(struct match *, const struct text_lines *a, const struct text_lines *b,
                struct err *);
void match_free(struct match *);

#endif
