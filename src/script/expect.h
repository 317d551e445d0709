/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that judge an `expect` share. */
#ifndef SCRIPT_EXPECT_H
#define SCRIPT_EXPECT_H

#include "script/script.h"

enum compare_op { OP_NONE, OP_EQUAL, OP_UNEQUAL, OP_LESS, OP_AT_MOST, OP_MORE, OP_AT_LEAST, OP_NEAR,
                  OP_CONTAINS, OP_HAS };

/* How `~` compares: |a - b| <= atol + rtol * |b|. */
struct closeness {
    double rtol, atol;
    bool given; /* by the expectation itself */
};

/* `x == iota`: is the left side an array, and the right side something that is compared with one? 1:
 * no. Else it has been judged: 0, or -1. `text` is what is compared, op and all. */
int expect_array(struct script_reading *, const char *left, enum compare_op, struct expected *);
/* A word on the right side that begins as a fill does must be one. */
int fill_looks(const char *word, struct err *);
/* `variant A faster-than B by F`. 1: it is something else. */
int expect_variant(struct script_reading *, struct expected *);
/* rtol R, atol A and a hint in quotes, up to the end. */
int expect_options(struct script_reading *, enum compare_op, struct closeness *, struct expected *);
void expected_within(const struct closeness *, struct expected *); /* tells it */
bool is_close(double found, double wanted, const struct closeness *);

#endif
