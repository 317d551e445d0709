/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The normal distribution in plain C: the area exactly enough for any float, and what the formula
 * with 7 coefficients should give. Without libm, so that it is the same on every machine.
 */
#ifndef LABS_NORMCDF_NORMAL_H
#define LABS_NORMCDF_NORMAL_H

enum { NORMAL_COEFFICIENTS = 7 };
extern const float normal_coefficient[NORMAL_COEFFICIENTS]; /* p, b1 to b5, 1 / sqrt(2 pi) */

/* The area beyond |x|, for |x| <= 12: exact but for a few units of double's last place. */
double normal_tail(double x);
/* The same by the formula, in double. */
double normal_formula_tail(double x);

#endif
