/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two pieces of source, line by line: what both have, what was changed, what only one has. On a
 * wide screen they stand side by side with a mark between them, else one above the other with
 * the mark in front; the marks are signs, never colours alone.
 */
#ifndef SOURCE_CODE_DIFF_H
#define SOURCE_CODE_DIFF_H

#include "source/code-lines.h"
#include "screen/report.h"

enum diff_mark { DIFF_SAME, DIFF_CHANGED, DIFF_LEFT, DIFF_RIGHT };

struct diff_row {
    enum diff_mark mark;
    struct code_line left, right; /* only those that the mark says */
};

struct code_diff {
    const char *left, *right; /* what the two are called */
    struct diff_row *rows;
    unsigned count;
    unsigned marked[4];       /* rows by their mark */
};

/* -1: out of memory, or too long, and e says which. Free it always. */
int code_diff(const struct code_lines *left, const struct code_lines *right, struct code_diff *,
              struct err *e);
void code_diff_free(struct code_diff *);
/* The rows on the screen, those that both have shortened where there are many. */
void say_code_diff(struct report *, const struct code_diff *);
/* Members of an open object. */
void json_code_diff(struct json *, const struct code_diff *);

#endif
