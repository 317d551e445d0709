/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a grader has done so far, so that it can go on after it was killed: a file with a line of
 * JSON for each hand-in. Each line has a key, which the grader makes of all that the marks depend
 * on. So a hand-in or an exercise that has changed is graded again.
 *
 * A line that is cut, as by a kill, or damaged is dropped. Then that hand-in is graded again. One
 * with a test that was not graded is never kept.
 */
#ifndef GRADE_JOURNAL_H
#define GRADE_JOURNAL_H

#include "grade/marks.h"

struct journal_line {
    struct span key, hand_in; /* as they stand in the text */
};

struct journal {
    int fd;
    struct buf text; /* all whole lines of the file */
    struct journal_line *line;
    size_t count, room;
    unsigned dropped; /* lines that were not whole: to be told */
};

/* Opens the file, or makes a new one. Another grader that has it open is an error. */
int journal_open(struct journal *, const char *path, struct err *);
void journal_close(struct journal *);
/* Adds the hand-in that was kept with this key. NULL: there is none that fits the exercise. */
struct marked *journal_take(const struct journal *, const char *key, struct marks *);
/* Keeps a hand-in. The line is in the file when this returns. */
int journal_add(struct journal *, const char *key, const struct marks *, const struct marked *,
                struct err *);

#endif
