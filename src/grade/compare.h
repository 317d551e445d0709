/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two runs of the same exercise: whose marks changed, and in which tests. A hand-in is the same one
 * where the id is the same, or the name where one of them has no id. Tests are the same by name.
 */
#ifndef GRADE_COMPARE_H
#define GRADE_COMPARE_H

#include "grade/marks.h"

struct mark_change {
    const struct marked *before, *now; /* NULL: only the other run has it */
    unsigned tests;                    /* how many of them changed */
};

struct mark_changes {
    const struct marks *before, *now;
    struct mark_change *change; /* those that changed, by student */
    unsigned count;
};

int marks_compare(const struct marks *before, const struct marks *now, struct mark_changes *,
                  struct err *);
void mark_changes_free(struct mark_changes *);
/* A test in both runs, by its place in the later one: the marks. NULL: that run lacks it. Is it a
 * change? */
bool mark_change_at(const struct mark_changes *, const struct mark_change *, unsigned test,
                    const struct test_mark **before, const struct test_mark **now);

#endif
