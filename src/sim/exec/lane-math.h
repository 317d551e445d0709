/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The small functions that the lines of ops.def and atomics.def call, each for one lane, and
 * exact: what a GPU gives, on any host. exec.c alone includes this, once an instruction set.
 */
#ifndef SIM_LANE_MATH_H
#define SIM_LANE_MATH_H

#include "base/fused.h"
#include "sim/exec/wide.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline float flush(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, 4);
    bits = (bits & 0x7f800000u) ? bits : bits & 0x80000000u;
    memcpy(&v, &bits, 4);
    return v;
}
static inline float nan32(float v) /* arithmetic gives one NaN, as the hardware does */
{
    uint32_t bits = 0x7fffffffu;
    float one;
    memcpy(&one, &bits, 4);
    return v != v ? one : v;
}
/* .ftz of a result: small means as if exponents had no lower end, before a subnormal is
 * rounded. `scaled` is the same result 2^32 times larger, where nothing is subnormal. */
static inline float flush_by(float scaled, float v)
{
    float zero = __builtin_copysignf(0.0f, v);
    return __builtin_fabsf(scaled) < 0x1p-94f ? zero : nan32(v);
}
#define nan_f32(v) nan32((float)(v))
#define nan_f64(v) (v) /* a double's payload passes */
/* Of several NaNs the first one's. An H100 takes now this, now that; a compiler too, so that here
 * it is said. */
static inline double nan64(double v, double a, double b, double c)
{
    uint64_t bits = UINT64_C(0xfff8000000000000);
    double from = a != a ? a : b != b ? b : c, one;
    if (from != from)
        memcpy(&bits, &from, 8);
    bits |= UINT64_C(1) << 51;
    memcpy(&one, &bits, 8);
    return v != v ? one : v;
}
static inline float min32(float a, float b)
{
    return a != a ? nan32(b) : b != b ? a : (a < b || (a == b && __builtin_signbit(a))) ? a : b;
}
static inline float max32(float a, float b)
{
    return a != a ? nan32(b) : b != b ? a : (a > b || (a == b && !__builtin_signbit(a))) ? a : b;
}
static inline double min64(double a, double b)
{
    return a != a ? b : b != b ? a : (a < b || (a == b && __builtin_signbit(a))) ? a : b;
}
static inline double max64(double a, double b)
{
    return a != a ? b : b != b ? a : (a > b || (a == b && !__builtin_signbit(a))) ? a : b;
}
static inline float saturate(float v)
{
    return v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f; /* NaN and -0 are +0 */
}

/* Float to integer: what is outside clamps. NaN is 0, but where a double or 64 bits are in
 * it, as the hardware has it, the top bit alone. */
#define TO_INT(t, T, LO, HI, NAN_F32)          \
    TO_INT_FROM(t##_f32, T, LO, HI, NAN_F32)   \
    TO_INT_FROM(t##_f64, T, LO, HI, UINT64_C(1) << (8 * sizeof(T) - 1))
#define TO_INT_FROM(name, T, LO, HI, NANV)     \
    static inline T to_##name(double v)        \
    {                                          \
        return v != v              ? (T)(NANV) \
               : v <= (double)(LO) ? (T)(LO)   \
               : v >= (double)(HI) ? (T)(HI)   \
                                   : (T)v;     \
    }
TO_INT(s32, int32_t, INT32_MIN, INT32_MAX, 0)
TO_INT(u32, uint32_t, 0, UINT32_MAX, 0)
TO_INT(s64, int64_t, INT64_MIN, INT64_MAX, INT64_MIN)
TO_INT(u64, uint64_t, 0, UINT64_MAX, UINT64_C(1) << 63)
TO_INT(s16, int16_t, INT16_MIN, INT16_MAX, 0)
TO_INT(u16, uint16_t, 0, UINT16_MAX, 0)
TO_INT(s8, int8_t, INT8_MIN, INT8_MAX, 0)
TO_INT(u8, uint8_t, 0, UINT8_MAX, 0)

/* Round to an integral value without the host's libm: exact by adding and taking away 2^52. */
static inline double toward_zero(double v)
{
    return v < 4503599627370496.0 && v > -4503599627370496.0
               ? __builtin_copysign((double)(int64_t)v, v)
               : v;
}
static inline double to_nearest(double v)
{
    double big = __builtin_copysign(4503599627370496.0, v);
    return v < 4503599627370496.0 && v > -4503599627370496.0
               ? __builtin_copysign((v + big) - big, v)
               : v;
}
static inline double downward(double v)
{
    double t = toward_zero(v);
    return t > v ? t - 1.0 : t;
}
static inline double upward(double v)
{
    double t = toward_zero(v);
    return t < v ? __builtin_copysign(t + 1.0, v) : t;
}

static inline int64_t clamp(int64_t v, int64_t lo, int64_t hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}
static inline int32_t clamp_s32(int64_t v)
{
    return (int32_t)clamp(v, INT32_MIN, INT32_MAX);
}
/* Four products of bytes, added up. */
static inline uint32_t dot4(uint32_t a, bool a_signed, uint32_t b, bool b_signed)
{
    uint32_t sum = 0;
    for (int i = 0; i < 32; i += 8) {
        int32_t x = a_signed ? (int8_t)(a >> i) : (uint8_t)(a >> i);
        int32_t y = b_signed ? (int8_t)(b >> i) : (uint8_t)(b >> i);
        sum += (uint32_t)(x * y);
    }
    return sum;
}
/* Two products of a's halves with the two low bytes of b. */
static inline uint32_t dot2(uint32_t a, bool a_signed, uint32_t b, bool b_signed)
{
    uint32_t sum = 0;
    for (int i = 0; i < 2; i++) {
        int32_t x = a_signed ? (int16_t)(a >> 16 * i) : (uint16_t)(a >> 16 * i);
        int32_t y = b_signed ? (int8_t)(b >> 8 * i) : (uint8_t)(b >> 8 * i);
        sum += (uint32_t)x * (uint32_t)y;
    }
    return sum;
}
/* The sizes of the differences of a's and b's parts, each in its place, or their sum. */
static inline uint32_t differences(uint32_t a, uint32_t b, unsigned bits, bool is_signed, bool sum)
{
    uint32_t r = 0, mask = (1u << bits) - 1, flip = is_signed ? 1u << (bits - 1) : 0;
    for (unsigned at = 0; at < 32; at += bits) { /* flipped, signed parts are in order too */
        uint32_t x = (a >> at & mask) ^ flip, y = (b >> at & mask) ^ flip;
        uint32_t difference = x < y ? y - x : x - y;
        r += sum ? difference : difference << at;
    }
    return r;
}
#define pair_add(x, y) ((x) + (y))
#define pair_min(x, y) ((x) < (y) ? (x) : (y))
#define pair_max(x, y) ((x) > (y) ? (x) : (y))
#define pair_min_relu(x, y) pair_max(0, pair_min(x, y))
#define pair_max_relu(x, y) pair_max(0, pair_max(x, y))
/* Rounds to tf32. A NaN keeps its upper bits. If its fraction has none set there, it becomes
 * infinite. */
static inline uint32_t nearest_tf32(uint32_t v)
{
    return ((v & 0x7f800000u) == 0x7f800000u ? v : v + 0x1000u) & ~0x1fffu;
}
static inline uint32_t finite_tf32(uint32_t v)
{
    v = nearest_tf32(v);
    return (v & 0x7fffffffu) == 0x7f800000u ? v - 0x2000u : v;
}
static inline int64_t signed24(uint32_t v)
{
    return (int32_t)(v << 8) >> 8;
}
static inline uint64_t high_u64(uint64_t a, uint64_t b)
{
    return wide_high(wide_product(a, b));
}
static inline int64_t high_s64(int64_t a, int64_t b)
{
    return (int64_t)(wide_high(wide_product((uint64_t)a, (uint64_t)b)) - (a < 0 ? (uint64_t)b : 0) -
                     (b < 0 ? (uint64_t)a : 0));
}
static inline uint64_t reverse64(uint64_t v)
{
    v = (v >> 1 & UINT64_C(0x5555555555555555)) | (v & UINT64_C(0x5555555555555555)) << 1;
    v = (v >> 2 & UINT64_C(0x3333333333333333)) | (v & UINT64_C(0x3333333333333333)) << 2;
    v = (v >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (v & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(v);
}
static inline uint64_t field_insert(uint64_t a, uint64_t b, uint32_t at, uint32_t len,
                                    unsigned bits)
{
    if (at >= bits || len == 0)
        return b;
    uint64_t ones = (len >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << len) - 1) << at;
    return (b & ~ones) | (a << at & ones);
}
static inline int64_t field_take(uint64_t a, uint32_t at, uint32_t len, unsigned bits, bool sign)
{
    uint64_t v = at < bits ? a >> at : 0;
    unsigned have = at < bits ? bits - at : 0;
    bool top =
        sign && len && (have ? a >> (at + (len < have ? len : have) - 1) & 1 : a >> (bits - 1) & 1);
    if (len < have)
        v &= (UINT64_C(1) << len) - 1;
    unsigned kept = len < have ? len : have;
    if (top && kept < 64)
        v |= ~UINT64_C(0) << kept;
    return (int64_t)(len ? v : 0);
}
static inline uint32_t lookup3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t r = 0;
    for (int i = 0; i < 8; i++) {
        uint32_t here = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
        r |= (table >> i & 1u) ? here : 0;
    }
    return r;
}
static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t from = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t pick = c >> (4 * i) & 15u;
        uint32_t byte = (uint32_t)(from >> (8 * (pick & 7))) & 255u;
        if (pick & 8)
            byte = (byte & 128) ? 255 : 0;
        r |= byte << (8 * i);
    }
    return r;
}
static inline int leading_u32(uint32_t v)
{
    return v ? __builtin_clz(v) : 32;
}
static inline int leading_u64(uint64_t v)
{
    return v ? __builtin_clzll(v) : 64;
}

/* `width` ones from bit `from` on. */
static inline uint32_t bit_mask(uint32_t from, uint32_t width)
{
    return from > 31 ? 0 : (uint32_t)((UINT64_C(1) << width) - 1) << from;
}
/* The low `width` bits as a signed number; none of them is 0. */
static inline uint32_t sign_extend(uint32_t v, uint32_t width)
{
    uint32_t top = width ? 1u << (width - 1) : 0;
    v &= bit_mask(0, width);
    return (v ^ top) - top;
}
/* The place of the n-th set bit from bit `from` on: upward, for n < 0 downward, 0: that bit. */
static inline uint32_t nth_set_bit(uint32_t mask, uint32_t from, int32_t n)
{
    int step = n < 0 ? -1 : 1;
    int64_t left = n < 0 ? -(int64_t)n : n;
    if (n == INT32_MIN && from > 31)
        return 0; /* no argument that PTX allows; what an H100 makes of it */
    if (n == 0)
        return from < 32 && mask >> from & 1u ? from : UINT32_MAX;
    for (int64_t at = from; at >= 0 && at < 32; at += step)
        if (mask >> at & 1u && --left == 0)
            return (uint32_t)at;
    return UINT32_MAX;
}
static inline int shift_to_top64(uint64_t v)
{
    return v ? leading_u64(v) : -1;
}
static inline int shift_to_top(uint32_t v)
{
    return v ? leading_u32(v) : -1;
}

#endif
