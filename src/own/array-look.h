/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking at arrays: statistics, the screen that `print` shows, the values for JSON, and
 * where two differ.
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
    uint64_t min_at, max_at;    /* the first such, by its index in the array */
    double sum;                 /* added up in the order of the elements */
    bool exact;                 /* whole numbers whose sum fits 64 bits: it is in whole_sum */
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
/* n elements of the second side, from its `first`; what it reads from is in self. */
struct compare_side {
    int (*read)(void *self, uint64_t first, uint64_t n, unsigned char *to, struct report *);
    void *self;
    const char *name; /* as typed */
};
/* a against b, both of a's type and as long. -1: they differ, or it could not be done; the
 * report says which. */
int array_compare(struct session *, const struct slice *a, const char *a_name,
                  const struct compare_side *b, const struct compare_how *, struct report *);

#endif
