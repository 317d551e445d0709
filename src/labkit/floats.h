/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The floats that a lab adds up, filled as `array` fills its own, and the plain C answers that a
 * kernel's sum is held against.
 */
#ifndef LABKIT_FLOATS_H
#define LABKIT_FLOATS_H

#include "labkit/run.h"

/* As the text of option `name` says. -1: it is no fill, or gives what can't be added. */
int floats_fill(struct session *, const char *name, const char *text, uint64_t seed, float *to,
                uint64_t n, struct report *);

/* Of x, or of the products x y where there are two. */
struct float_sum {
    double exact;     /* in double, which is exact enough for any float sum */
    double magnitude; /* of all terms without their signs */
    float in_order;   /* one float variable, term after term */
    uint64_t last;    /* the last addition that changed it, from 1 on */
};
int floats_sum(const float *x, const float *y, uint64_t n, struct session *, struct float_sum *,
               struct report *); /* -1: the student stopped it, or the limit did */
/* A float that no longer grows, though a good part of the terms is still to come. */
bool floats_stuck(const struct float_sum *, uint64_t n);

#endif
