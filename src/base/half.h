/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Floats of 16 bits. IEEE half precision (f16) has 1 bit for the sign, 5 for the exponent and 10 for
 * the fraction. bfloat16 (bf16) has 8 for the exponent and 7 for the fraction. C has no type for
 * them everywhere, so numbers pass through double, which holds each of them exactly.
 */
#ifndef BASE_HALF_H
#define BASE_HALF_H

#include <stdint.h>

double half_to_double(uint16_t bits);
double bf16_to_double(uint16_t bits);
/* Rounded once, to the nearest, ties to even. What is too large becomes infinity: f16 from 65520 on,
 * bf16 from 2^128 - 2^119 on. */
uint16_t half_from_double(double v);
uint16_t bf16_from_double(double v);

#endif
