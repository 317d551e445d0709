/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two texts compared line by line, so that one more line in one of them doesn't make all lines
 * after it differ.
 */
#ifndef TEXT_MATCH_H
#define TEXT_MATCH_H

#include "base/err.h"
#include "base/lines.h"

#include <stdbool.h>

enum { NO_LINE = -1 };

/* A line of one text, or a line of each: the same in both, or one in place of the other. Without
 * runs, lines with the same label are in one row: `Why` stands next to `Why`. */
struct match_row {
    int a, b; /* NO_LINE: this text has none here */
    bool same;
};

struct match {
    struct match_row *row;
    unsigned count, differing;
};
/* runs: a pair of equal lines before another such pair counts more than one that stands alone, as
 * a brace may. */
int match_lines(struct match *, const struct text_lines *a, const struct text_lines *b, bool runs,
                struct err *);
void match_free(struct match *);

#endif
