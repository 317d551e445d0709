/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Floats of 16 bits by moving bits: no rounding mode and no library decides anything here.
 */
#include "base/half.h"

#include <stdbool.h>
#include <string.h>

enum { DOUBLE_BIAS = 1023, DOUBLE_FRACTION = 52, SIGN = 0x8000 };

/* The largest exponent, and how many bits the fraction has. Next to the sign, 15 bits are for both
 * fields. */
struct format {
    int bias, fraction;
    double step; /* from one subnormal to the next */
};
static const struct format half = {15, 10, 0x1p-24}, bf16 = {127, 7, 0x1p-133};

static unsigned infinity_of(const struct format *f)
{
    return 0x7FFFu >> f->fraction << f->fraction;
}

static double to_double(const struct format *f, uint16_t bits)
{
    const unsigned exponent = (bits & 0x7FFFu) >> f->fraction;
    const unsigned fraction = bits & ((1u << f->fraction) - 1);
    double v = fraction * f->step; /* what a subnormal is */
    if (exponent) {
        uint64_t wide = (uint64_t)fraction << (DOUBLE_FRACTION - f->fraction);
        bool special = exponent == infinity_of(f) >> f->fraction;
        uint64_t e = special ? 2047 : exponent + DOUBLE_BIAS - (unsigned)f->bias;
        wide |= e << DOUBLE_FRACTION;
        memcpy(&v, &wide, sizeof v);
    }
    return bits & SIGN ? -v : v;
}

/* Drop so many low bits, to the nearest, ties to even; a carry goes into the exponent. */
static uint64_t drop_bits(uint64_t v, int n)
{
    uint64_t kept = v >> n, rest = v & ((UINT64_C(1) << n) - 1), tie = UINT64_C(1) << (n - 1);
    return kept + (rest > tie || (rest == tie && (kept & 1)));
}

static uint16_t from_double(const struct format *f, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    const unsigned sign = bits >> 63 ? SIGN : 0;
    const uint64_t fraction = bits & ((UINT64_C(1) << DOUBLE_FRACTION) - 1);
    const int exponent = (int)(bits >> DOUBLE_FRACTION & 2047) - DOUBLE_BIAS;
    const int narrower = DOUBLE_FRACTION - f->fraction;
    if (exponent > DOUBLE_BIAS) /* infinity or NaN */
        return (uint16_t)(sign | (fraction ? 0x7FFFu : infinity_of(f)));
    if (exponent > f->bias)
        return (uint16_t)(sign | infinity_of(f));
    if (exponent > -f->bias) {
        uint64_t shifted = (uint64_t)(exponent + f->bias) << DOUBLE_FRACTION | fraction;
        return (uint16_t)(sign | drop_bits(shifted, narrower));
    }
    int shift = narrower + 1 - f->bias - exponent;
    if (shift > DOUBLE_FRACTION + 1)
        return (uint16_t)sign; /* below half of the smallest; a half of it is a tie, to zero */
    return (uint16_t)(sign | drop_bits(fraction | UINT64_C(1) << DOUBLE_FRACTION, shift));
}

double half_to_double(uint16_t bits)
{
    return to_double(&half, bits);
}

double bf16_to_double(uint16_t bits)
{
    return to_double(&bf16, bits);
}

uint16_t half_from_double(double v)
{
    return from_double(&half, v);
}

uint16_t bf16_from_double(double v)
{
    return from_double(&bf16, v);
}
