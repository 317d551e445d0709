/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Half precision for one lane, to nearest, by way of double: the forms that real kernels use.
 * A double holds any sum and product of halves, and of a fused multiply-add all that decides
 * how it rounds (the sizes of halves span 40 bits), so rounding the double gives the half
 * that rounding the exact result would. bf16 spans more, and goes through soft.c.
 */
#ifndef SIM_LANE_HALF_H
#define SIM_LANE_HALF_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A half has 15 as the exponent of 1, a double 1023: 1008 more. */
static inline double of_half(uint16_t h)
{
    uint64_t size = h & 0x7fffu, bits = (size << 42) + (UINT64_C(1008) << 52);
    double v, tiny = (double)(int32_t)size * 0x1p-24; /* subnormals count in steps of 2^-24 */
    bits |= size >= 0x7c00u ? UINT64_C(0x7ff) << 52 : 0;
    memcpy(&v, &bits, 8);
    v = size < 0x400u ? tiny : v;
    return h & 0x8000u ? -v : v;
}

/* Adding 2^42 times the power of two below v, and taking it away, leaves eleven bits of v. */
static inline uint16_t to_half(double v)
{
    uint64_t bits, power, rounded_bits;
    memcpy(&bits, &v, 8);
    uint64_t size = bits & (uint64_t)INT64_MAX, least = UINT64_C(1009) << 52;
    power = size < least ? least : size > UINT64_C(1200) << 52 ? UINT64_C(1200) << 52 : size;
    power = (power & (UINT64_C(0x7ff) << 52)) + (UINT64_C(42) << 52);
    double big, rounded;
    memcpy(&big, &power, 8);
    rounded = (__builtin_fabs(v) + big) - big;
    memcpy(&rounded_bits, &rounded, 8);
    uint32_t normal = (uint32_t)((rounded_bits >> 42) - (UINT64_C(1008) << 10));
    uint32_t tiny = (uint32_t)(int32_t)(rounded < 0x1p-14 ? rounded * 0x1p24 : 0.0);
    uint32_t half = rounded < 0x1p-14 ? tiny : rounded < 65536.0 ? normal : 0x7c00u;
    half |= (uint32_t)(bits >> 63) << 15;
    return (uint16_t)(v != v ? 0x7fffu : half);
}
static inline uint16_t half_add(uint16_t a, uint16_t b)
{
    return to_half(of_half(a) + of_half(b));
}
static inline uint16_t half_sub(uint16_t a, uint16_t b)
{
    return to_half(of_half(a) - of_half(b));
}
static inline uint16_t half_mul(uint16_t a, uint16_t b)
{
    return to_half(of_half(a) * of_half(b));
}
static inline uint16_t half_fma(uint16_t a, uint16_t b, uint16_t c)
{
    return to_half(of_half(a) * of_half(b) + of_half(c)); /* the product is exact */
}
/* The sign of any half but a NaN, which becomes the one NaN. */
#define HALF_SIGN(f, INFINITE)                                                               \
    static inline uint16_t neg_##f(uint16_t a)                                               \
    {                                                                                        \
        return (a & 0x7fffu) > (INFINITE) ? 0x7fffu : a ^ 0x8000u;                           \
    }                                                                                        \
    static inline uint16_t abs_##f(uint16_t a)                                               \
    {                                                                                        \
        return (a & 0x7fffu) > (INFINITE) ? 0x7fffu : a & 0x7fffu;                           \
    }
HALF_SIGN(f16, 0x7c00u)
HALF_SIGN(bf16, 0x7f80u)
#undef HALF_SIGN

/* Minimum and maximum. -0 is less than +0. If one operand is a NaN, the result is the other one. */
static inline int32_t half_order(uint16_t a)
{
    return a & 0x8000u ? -(int32_t)(a & 0x7fffu) - 1 : a;
}
#define HALF_LIMITS(f, INFINITE)                                                             \
    static inline uint16_t f##_chosen(uint16_t a, uint16_t b, bool greater)                  \
    {                                                                                        \
        const bool no_a = (a & 0x7fffu) > (INFINITE), no_b = (b & 0x7fffu) > (INFINITE);     \
        if (no_a || no_b)                                                                    \
            return no_a && no_b ? 0x7fffu : no_a ? b : a;                                    \
        return (half_order(a) > half_order(b)) == greater ? a : b;                           \
    }                                                                                        \
    static inline uint16_t f##_min(uint16_t a, uint16_t b) { return f##_chosen(a, b, false); } \
    static inline uint16_t f##_max(uint16_t a, uint16_t b) { return f##_chosen(a, b, true); }
HALF_LIMITS(f16, 0x7c00u)
HALF_LIMITS(bf16, 0x7f80u)
#undef HALF_LIMITS

/*
 * The sum of two bfloats: a double holds it exactly, unless one of them is too small to matter.
 * As above, but 45 bits go, the exponent of 1 is a float's, and there is no integer detour.
 */
static inline double of_bfloat(uint16_t b)
{
    uint32_t bits = (uint32_t)b << 16;
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
static inline uint16_t to_bfloat(double v)
{
    uint64_t power;
    uint32_t bits;
    memcpy(&power, &v, 8);
    power &= UINT64_C(0x7ff) << 52;
    power = power < UINT64_C(897) << 52 ? UINT64_C(897) << 52 : power;
    power += UINT64_C(45) << 52;
    double big;
    memcpy(&big, &power, 8);
    double size = (__builtin_fabs(v) + big) - big;
    float f = (float)size; /* eight bits are left: exact, or too large */
    if (v != v || v == v + v)
        f = (float)__builtin_fabs(v);
    memcpy(&bits, &f, 4);
    bits |= v < 0 || (v == 0 && 1 / v < 0) ? 0x80000000u : 0;
    return (uint16_t)(v != v ? 0x7fffu : bits >> 16);
}
static inline uint16_t bfloat_add(uint16_t a, uint16_t b)
{
    return to_bfloat(of_bfloat(a) + of_bfloat(b));
}

/* Both halves of a word. */
#define HALVES1(fn, a) ((uint32_t)fn((uint16_t)((a) >> 16)) << 16 | fn((uint16_t)(a)))
#define HALVES2(fn, a, b)                                                                    \
    ((uint32_t)fn((uint16_t)((a) >> 16), (uint16_t)((b) >> 16)) << 16 |                      \
     fn((uint16_t)(a), (uint16_t)(b)))
#define HALVES3(fn, a, b, c)                                                                 \
    ((uint32_t)fn((uint16_t)((a) >> 16), (uint16_t)((b) >> 16), (uint16_t)((c) >> 16)) << 16 | \
     fn((uint16_t)(a), (uint16_t)(b), (uint16_t)(c)))

#endif
