/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logarithms for the axes of pictures: without libm, they are the same on every machine.
 */
#ifndef BASE_LOGARITHM_H
#define BASE_LOGARITHM_H

/* Of a finite number above 0. */
double power_of_two(double);
double power_of_ten(double);

#endif
