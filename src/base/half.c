/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Half precision by moving bits: no rounding mode and no library decides anything here.
 */
#include "base/half.h"

#include <string.h>

enum { HALF_BIAS = 15, HALF_FRACTION = 10, DOUBLE_BIAS = 1023, DOUBLE_FRACTION = 52 };

double half_to_double(uint16_t bits)
{
    unsigned exponent = bits >> HALF_FRACTION & 31, fraction = bits & 0x3FF;
    double v = fraction * 0x1p-24; /* what a subnormal is */
    if (exponent) {
        uint64_t wide = (uint64_t)fraction << (DOUBLE_FRACTION - HALF_FRACTION);
        uint64_t e = exponent == 31 ? 2047 : exponent + DOUBLE_BIAS - HALF_BIAS;
        wide |= e << DOUBLE_FRACTION;
        memcpy(&v, &wide, sizeof v);
    }
    return bits & 0x8000 ? -v : v;
}

/* Drop so many low bits, to the nearest, ties to even; a carry goes into the exponent. */
static uint64_t drop_bits(uint64_t v, int n)
{
    uint64_t kept = v >> n, rest = v & ((UINT64_C(1) << n) - 1), tie = UINT64_C(1) << (n - 1);
    return kept + (rest > tie || (rest == tie && (kept & 1)));
}

uint16_t half_from_double(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    const unsigned sign = bits >> 63 ? 0x8000 : 0;
    const uint64_t fraction = bits & ((UINT64_C(1) << DOUBLE_FRACTION) - 1);
    const int exponent = (int)(bits >> DOUBLE_FRACTION & 2047) - DOUBLE_BIAS;
    const int narrower = DOUBLE_FRACTION - HALF_FRACTION;
    if (exponent > DOUBLE_BIAS) /* infinity or NaN */
        return (uint16_t)(sign | (fraction ? 0x7FFF : 0x7C00));
    if (exponent > HALF_BIAS)
        return (uint16_t)(sign | 0x7C00);
    if (exponent > -HALF_BIAS) {
        uint64_t shifted = (uint64_t)(exponent + HALF_BIAS) << DOUBLE_FRACTION | fraction;
        return (uint16_t)(sign | drop_bits(shifted, narrower));
    }
    int shift = narrower + 1 - HALF_BIAS - exponent;
    if (shift > DOUBLE_FRACTION + 1)
        return (uint16_t)sign; /* below half of the smallest; a half of it is a tie, to zero */
    return (uint16_t)(sign | drop_bits(fraction | UINT64_C(1) << DOUBLE_FRACTION, shift));
}
