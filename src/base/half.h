/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * IEEE half precision (f16) as its 16 bits: 1 sign, 5 exponent, 10 fraction. C has no type
 * for it everywhere, so numbers pass through double, which holds every half exactly.
 */
#ifndef BASE_HALF_H
#define BASE_HALF_H

#include <stdint.h>

double half_to_double(uint16_t bits);
/* Rounded once, to the nearest, ties to even; from 65520 on that is infinity. */
uint16_t half_from_double(double v);

#endif
