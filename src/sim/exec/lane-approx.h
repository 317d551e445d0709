/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions that a GPU only approximates (ex2, lg2, sin, cos, rcp and rsqrt of f64, tanh),
 * each for one lane. A float's worth of a function is little work in double precision: bring
 * the argument into a small interval, sum a Taylor series there, round once at the end. That
 * is nearer to the truth than the hardware, and the same on every host: additions and
 * multiplications only, no libm, and no fused ones. Only tanh is far from the truth there, and so
 * here. exec.c and exact.c include this.
 */
#ifndef SIM_LANE_APPROX_H
#define SIM_LANE_APPROX_H

#include "sim/exec/lane-math.h"
#include "sim/exec/tanh-table.h"

static inline uint64_t bits_of_f64(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, 8);
    return bits;
}
static inline double f64_of_bits(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, 8);
    return v;
}

/* 2^x, where |x| is at most 1000: 2^n by its exponent, and e^t, |t| < 0.35, to 1e-14. */
static inline double power_of_2(double x)
{
    static const double series[] = {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
                                    1.0 / 5040,     1.0 / 720,     1.0 / 120,    1.0 / 24,
                                    1.0 / 6,        1.0 / 2,       1.0,          1.0};
    double n = to_nearest(x), t = (x - n) * 0x1.62e42fefa39efp-1; /* ln 2 */
    double sum = 0.0;
    for (int k = 0; k < 12; k++)
        sum = sum * t + series[k];
    return sum * f64_of_bits((uint64_t)((int64_t)n + 1023) << 52);
}
static inline float approx_ex2(float x)
{
    double at = !(x > -200.0f) ? -200.0 : x < 200.0f ? (double)x : 200.0;
    return x != x ? nan32(x) : (float)power_of_2(at);
}

/* Logarithm to base 2: x = m * 2^e with m around 1, and ln m = 2 artanh((m-1) / (m+1)). */
static inline float approx_lg2(float x)
{
    uint64_t bits = bits_of_f64((double)x);
    int64_t e = (int64_t)(bits >> 52 & 2047) - 1023;
    double m = f64_of_bits((bits & UINT64_C(0xfffffffffffff)) | UINT64_C(0x3ff0000000000000));
    bool high = m > 0x1.6a09e667f3bcdp+0; /* the root of 2 */
    m = high ? m * 0.5 : m;
    double s = (m - 1.0) / (m + 1.0), square = s * s, sum = 0.0;
    for (int k = 15; k > 0; k -= 2)
        sum = 1.0 / k + square * sum;
    double y = (double)(e + high) + s * sum * 0x1.71547652b82fep+1; /* 2 / ln 2 */
    return x == 0.0f                ? -__builtin_inff()
           : x == __builtin_inff()  ? x
           : x != x || x < 0.0f     ? nan32(__builtin_nanf(""))
                                    : (float)y;
}

/* 64 bits of 2/pi from bit `from` on; the first 64 are those of its integer part, 0. */
static inline uint64_t two_over_pi(unsigned from)
{
    static const uint64_t digits[] = {0,
                                      UINT64_C(0xa2f9836e4e441529),
                                      UINT64_C(0xfc2757d1f534ddc0),
                                      UINT64_C(0xdb6295993c439041),
                                      UINT64_C(0xfe5163abdebbc561)};
    uint64_t high = digits[from / 64] << from % 64;
    return from % 64 ? high | digits[from / 64 + 1] >> (64 - from % 64) : high;
}

/*
 * x as quarter turns (of which the last two bits are kept) and an angle within an eighth of a
 * turn. x * 2/pi is an integer times 2/pi times a power of two: of the binary digits of 2/pi
 * only those matter that make less than four turns, so a product modulo 2^64 is enough, for
 * any x however large; 32 digits more keep what is near a multiple of a quarter exact.
 */
static inline double quarter_turns(float x, unsigned *quarters)
{
    uint64_t bits = bits_of_f64((double)x), mantissa = (bits >> 29 & 0x7fffff) | 0x800000;
    int exponent = (int)(bits >> 52 & 2047) - 1023 - 23; /* x = mantissa * 2^exponent */
    *quarters = 0;
    if (exponent < -24 || exponent > 104) /* no reduction needed; infinity, NaN */
        return (double)x;
    unsigned from = (unsigned)(62 + exponent); /* so that two bits of the product are quarters */
    uint64_t turns = mantissa * two_over_pi(from);
    turns += mantissa * (two_over_pi(from + 32) & 0xffffffffu) >> 32;
    if (bits >> 63)
        turns = 0 - turns;
    *quarters = (unsigned)((turns + (UINT64_C(1) << 61)) >> 62);
    int64_t fraction = (int64_t)(turns - ((uint64_t)*quarters << 62));
    return (double)fraction * 0x1.921fb54442d18p-62; /* pi/2 * 2^-62 */
}
/* sin and cos of a small angle by their series; which of the two: how many quarters to turn */
static inline float sine_of(double angle, unsigned quarters)
{
    double square = angle * angle, sine = 1.0, cosine = 1.0;
    for (int k = 13; k > 1; k -= 2)
        sine = 1.0 - square * (1.0 / (k * (k - 1))) * sine;
    for (int k = 12; k > 1; k -= 2)
        cosine = 1.0 - square * (1.0 / (k * (k - 1))) * cosine;
    double value = quarters & 1 ? cosine : sine * angle;
    return nan32((float)(quarters & 2 ? -value : value));
}
static inline float approx_sin(float x)
{
    unsigned quarters;
    double angle = quarter_turns(x, &quarters);
    return x - x != 0.0f ? nan32(__builtin_nanf("")) : sine_of(angle, quarters);
}
static inline float approx_cos(float x)
{
    unsigned quarters;
    double angle = quarter_turns(x, &quarters);
    return x - x != 0.0f ? nan32(__builtin_nanf("")) : sine_of(angle, quarters + 1);
}

/* d squared by a multiplier without its lowest columns, as the hardware's is. */
static inline double rough_square(uint32_t d)
{
    enum { COLUMNS = 19 };
    uint64_t lost = 0;
    for (unsigned i = 0; i < COLUMNS && d >> i; i++) {
        uint64_t others = d & ((UINT64_C(1) << (COLUMNS - 1 - i)) - 1);
        uint64_t square = 2 * i < COLUMNS ? UINT64_C(1) << 2 * i : 0;
        if (d >> i & 1)
            lost += square + (others >> (i + 1) << (2 * i + 2));
    }
    return (double)((uint64_t)d * d - lost);
}
static inline float approx_tanh(float x)
{
    uint64_t bits = bits_of_f64((double)x);
    int binade = (int)(bits >> 52 & 2047) - 1023 + 8;
    if (x != x)
        return nan32(x);
    if (binade < 0)
        return x;
    if (binade >= (int)(sizeof tanh_binades / sizeof *tanh_binades))
        return __builtin_copysignf(1.0f, x);
    unsigned width = 23u - tanh_binades[binade].pieces, mantissa = bits >> 29 & 0x7fffff;
    unsigned piece = tanh_binades[binade].first + (mantissa >> width);
    uint32_t d = (mantissa & ((1u << width) - 1)) >> (width - 17);
    double y = tanh_pieces[piece].a + tanh_pieces[piece].b * d +
               tanh_pieces[piece].c * rough_square(d);
    return __builtin_copysignf((float)y, x);
}

/* div.approx is a product with a reciprocal, which is 0 for the largest divisors. */
static inline float approx_div(float a, float b)
{
    bool vanishes = __builtin_fabsf(b) > 0x1p126f && __builtin_fabsf(b) < __builtin_inff();
    float zero = __builtin_copysignf(0.0f, b);
    return nan32(vanishes ? a * zero : a / b);
}

/* .approx.ftz.f64: of argument and result the upper word only, a normal number, zero, infinity or
 * the NaN that such a word has. */
static inline double upper_word(double v)
{
    uint64_t bits = bits_of_f64(v) & ~UINT64_C(0xffffffff);
    bits = bits >> 52 & 2047 ? bits : bits & UINT64_C(1) << 63;
    v = f64_of_bits(bits);
    return v != v ? f64_of_bits(UINT64_C(0x7fffffff00000000)) : v;
}
static inline double approx_rcp64(double v)
{
    return upper_word(1.0 / upper_word(v));
}
static inline double approx_rsqrt64(double v)
{
    return upper_word(1.0 / __builtin_sqrt(upper_word(v)));
}

#endif
