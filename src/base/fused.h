/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * a * b + c, rounded once, on every machine. Where the processor has an instruction for it, that is
 * used. C libraries compute it, too, but musl's, which WebAssembly has, makes mistakes.
 *
 * Floats: musl rounds some ties wrongly. fused_by_double() does without a library. The product of
 * two floats is exact as a double. The sum is rounded to odd: where it is not exact, the bits that
 * do not fit are cut off and the last bit becomes 1. Such a double lies half way between two floats
 * only if the exact sum does. So rounding it to a float is as good as rounding the exact sum. Loops
 * over it become vector code. It needs -ffp-contract=off.
 *
 * Doubles: musl gives +0 for a tiny negative product + 0. The right answer is -0. All else is right
 * (tests/unit/fused.c).
 */
#ifndef BASE_FUSED_H
#define BASE_FUSED_H

#include <stdint.h>
#include <string.h>

static inline float fused_by_double(float a, float b, float c)
{
    const double product = (double)a * b, sum = product + c;
    /* What the sum lost (Knuth's two-sum). Infinities and NaNs lose NaN, which is not more and not
     * less than 0. */
    const double part = sum - product;
    const double lost = (product - (sum - part)) + (c - part);
    int64_t bits, sign;
    double odd;
    memcpy(&bits, &sum, sizeof bits);
    memcpy(&sign, &lost, sizeof sign);
    const int64_t inexact = (lost > 0) | (lost < 0);
    /* Towards 0 if the sum is too large, else away from it: both make an even last bit odd. */
    const int64_t step = 1 | (bits ^ sign) >> 63;
    bits += step & -(inexact & ~bits & 1);
    memcpy(&odd, &bits, sizeof odd);
    return (float)odd;
}

static inline double fused_by_library(double a, double b, double c)
{
    return c == 0 && a != 0 && b != 0 ? a * b : __builtin_fma(a, b, c);
}

/* exec-avx2.c sets this before it includes anything. */
#if !defined(FUSED_BY_PROCESSOR) && (defined(__FMA__) || defined(__ARM_FEATURE_FMA))
#define FUSED_BY_PROCESSOR 1
#endif

static inline float fused32(float a, float b, float c)
{
#ifdef FUSED_BY_PROCESSOR
    return __builtin_fmaf(a, b, c);
#else
    return fused_by_double(a, b, c);
#endif
}

static inline double fused64(double a, double b, double c)
{
#ifdef FUSED_BY_PROCESSOR
    return __builtin_fma(a, b, c);
#else
    return fused_by_library(a, b, c);
#endif
}

#endif
