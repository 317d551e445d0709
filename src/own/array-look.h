/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is shown of arrays: statistics, the screen of `print`, the values in JSON, and where two
 * arrays differ.
 */
#ifndef OWN_ARRAY_LOOK_H
#define OWN_ARRAY_LOOK_H

#include "own/arrays.h"

/* ---- statistics (array-stats.c) -------------------------------------------------------- */

struct statistics {
    enum element type;
    uint64_t count, zeros, nans, infinities;
    bool ordered;               /* there is an element that is no NaN, hence a min and a max */
    unsigned char min[ELEMENT_BYTES], max[ELEMENT_BYTES];
    uint64_t min_at, max_at;    /* the index in the array of the first such element */
    double sum;                 /* in the order of the elements */
    bool exact;                 /* a sum of whole numbers that fits 64 bits: see whole_sum */
    int64_t whole_sum;
};

int statistics_of(struct session *, const struct slice *, struct statistics *, struct report *);
void statistics_say(const struct statistics *, struct report *);
void statistics_json(const struct statistics *, struct report *);

/* ---- printing (array-print.c) ---------------------------------------------------------- */

struct print_how {
    bool hex, all, stats_only;
    int columns; /* 0: as many as fit */
};
int array_print(struct session *, const struct slice *, const struct print_how *,
                struct report *);

/* ---- comparing (array-compare.c) ------------------------------------------------------- */

struct compare_how {
    double rtol, atol;
    bool equal_nan;
};
/* The second side: read() gets n elements from its element `first` on. */
struct compare_side {
    int (*read)(void *self, uint64_t first, uint64_t n, unsigned char *to, struct report *);
    void *self;
    const char *name; /* as typed */
};
/* Compares a with b, which has the same type and length. -1: they differ, or it failed; the report
 * says which. */
int array_compare(struct session *, const struct slice *a, const char *a_name,
                  const struct compare_side *b, const struct compare_how *, struct report *);

#endif
