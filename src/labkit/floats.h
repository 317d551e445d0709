/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The floats that a lab adds up, filled as `array` fills its own, and the plain C answers that a
 * kernel's sum is held against.
 */
#ifndef LABKIT_FLOATS_H
#define LABKIT_FLOATS_H

#include "labkit/run.h"
#include "own/fill.h"

/* n floats that need not be anywhere. They can be made again and again, on the device and here. */
struct floats {
    struct fill fill;
    const char *name, *text; /* of the option that says what they are */
    uint64_t seed, n;
    bool opened;
};
/* Close it also when opening failed. -1: the text is no fill of n floats. */
int floats_open(struct floats *, const char *name, const char *text, uint64_t seed, uint64_t n,
                struct report *);
void floats_close(struct floats *);
int floats_send(struct session *, const struct floats *, uint64_t address, struct report *);
/* Makes them in memory of the host. -1: it is no fill, or gives what can't be added. */
int floats_fill(struct session *, const char *name, const char *text, uint64_t seed, float *to,
                uint64_t n, struct report *);

/* Of x, or of the products x y where there are two. */
struct float_sum {
    double exact;     /* in double, which is exact enough for any float sum */
    double magnitude; /* of all terms without their signs */
    float in_order;   /* one float variable, term after term */
    uint64_t last;    /* the last addition that changed it, from 1 on */
};
/* y may be NULL. -1: they can't be added, or the student stopped it, or the limit did. */
int floats_sum(struct session *, const struct floats *x, const struct floats *y,
               struct float_sum *, struct report *);
/* A float that no longer grows, though a good part of the terms is still to come. */
bool floats_stuck(const struct float_sum *, uint64_t n);

#endif
