/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a float sum may be from the exact one, whatever the order of its additions.
 */
#ifndef BASE_ROUNDING_H
#define BASE_ROUNDING_H

#include <stdbool.h>

/*
 * If no value goes through more than `chain` roundings one after the other: each is off by at
 * most 2^-24 of what it gives, and that is never more than the sum of all magnitudes.
 */
double rounding_bound(double chain, double magnitude);

/* Here, so that loops over many become loops over vectors. */
static inline double magnitude_of(double v)
{
    return v < 0 ? -v : v;
}

static inline bool is_finite(double v)
{
    return v - v == 0;
}

#endif
