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

/*
 * Is a float sum right that is off by so much? It is right within its bound. But the bound of a
 * long chain promises nothing. Where then not even three digits are left of `magnitude`, the sum
 * was rounded away: the additions were done as they should, and the result is of no use.
 */
enum sum_verdict { SUM_WRONG, SUM_RIGHT, SUM_ROUNDED_AWAY };
enum sum_verdict sum_verdict(double off, double bound, double magnitude);
const char *sum_verdict_says(enum sum_verdict); /* "WRONG", "right", "rounded away" */

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
