/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for the CUDA Toolkit's header of this name: bfloat16, the upper half of a float.
 *
 * A GPU has instructions for it since sm_80. Before, it is computed as float and rounded, as the
 * toolkit does: a float has so many more bits that this rounds in the same way. Only a fused
 * product can't be had like that. What __half has as well is in cudalab_number16.h.
 */
#ifndef CUDALAB_CUDA_BF16_H
#define CUDALAB_CUDA_BF16_H

#include "cuda_fp16.h"

#define CUDALAB_N __nv_bfloat16
#define CUDALAB_N2 __nv_bfloat162
#define CUDALAB_RAW __nv_bfloat16_raw
#define CUDALAB_RAW2 __nv_bfloat162_raw
#define CUDALAB_OTHER __half
#define CUDALAB_NAME(before, after) before##bfloat16##after
#define CUDALAB_NAME2(before, after) before##bfloat162##after
#define CUDALAB_TWICE __bfloat162bfloat162
#define CUDALAB_PTX "bf16"
#define CUDALAB_ONE 0x3f80
#define CUDALAB_INFINITE 0x7f80
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define CUDALAB_CONVERSIONS
#endif
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
#define CUDALAB_OPERATORS
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
#define CUDALAB_OPERATORS2
#endif

#include "cudalab_number16_type.h"

/* ---- Rounding and widening ---- */

CUDALAB_BOTH float cudalab_float(__nv_bfloat16 a)
{ return __builtin_bit_cast(float, (unsigned)cudalab_bits(a) << 16); }

/* Adds to a float's bits what makes the upper half larger where it must be rounded up. */
CUDALAB_BOTH __nv_bfloat16 cudalab_upper(float x, unsigned more)
{
    const unsigned bits = __builtin_bit_cast(unsigned, x);
    const bool exact = __builtin_isinf(x);
    const unsigned upper = (exact ? bits : bits + more) >> 16;
    return __nv_bfloat16_raw{(unsigned short)(x != x ? 0x7fff : upper)};
}

CUDALAB_BOTH __nv_bfloat16 __float2bfloat16_rn(float x)
{
#if CUDALAB_ARCH >= 800
    __nv_bfloat16_raw r;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r.x) : "f"(x));
    return r;
#else
    return cudalab_upper(x, 0x7fff + (__builtin_bit_cast(unsigned, x) >> 16 & 1));
#endif
}
CUDALAB_BOTH __nv_bfloat16 __float2bfloat16_rz(float x) { return cudalab_upper(x, 0); }
CUDALAB_BOTH __nv_bfloat16 __float2bfloat16_rd(float x)
{ return cudalab_upper(x, __builtin_signbit(x) ? 0xffff : 0); }
CUDALAB_BOTH __nv_bfloat16 __float2bfloat16_ru(float x)
{ return cudalab_upper(x, __builtin_signbit(x) ? 0 : 0xffff); }

/* A float that lost bits gets an odd last bit, so that rounding once more sees no false tie. */
CUDALAB_BOTH float cudalab_odd(float x, bool lost)
{ return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, x) | (lost ? 1u : 0u)); }

#ifdef __CUDA_ARCH__
CUDALAB_BOTH __nv_bfloat16 __double2bfloat16(double x)
{
    const float toward_zero = __double2float_rz(x);
    return __float2bfloat16_rn(cudalab_odd(toward_zero, (double)toward_zero != x));
}

/* Rounding twice in the same direction is rounding once. */
#define CUDALAB_TO_BFLOAT(word, type, wide)                                                    \
    CUDALAB_BOTH __nv_bfloat16 __##word##2bfloat16_rn(type i)                                  \
    {                                                                                          \
        const float down = __##wide##2float_rd(i), up = __##wide##2float_ru(i);                \
        return __float2bfloat16_rn(cudalab_odd(__##wide##2float_rz(i), down != up));           \
    }                                                                                          \
    CUDALAB_BOTH __nv_bfloat16 __##word##2bfloat16_rz(type i)                                  \
    { return __float2bfloat16_rz(__##wide##2float_rz(i)); }                                    \
    CUDALAB_BOTH __nv_bfloat16 __##word##2bfloat16_rd(type i)                                  \
    { return __float2bfloat16_rd(__##wide##2float_rd(i)); }                                    \
    CUDALAB_BOTH __nv_bfloat16 __##word##2bfloat16_ru(type i)                                  \
    { return __float2bfloat16_ru(__##wide##2float_ru(i)); }
#else
CUDALAB_ON_HOST float cudalab_odd_float(long double x)
{
    const float toward_zero = cudalab_float_toward_zero(x);
    return cudalab_odd(toward_zero, toward_zero != x);
}
CUDALAB_BOTH __nv_bfloat16 __double2bfloat16(double x)
{ return __float2bfloat16_rn(cudalab_odd_float(x)); }
#define CUDALAB_TO_BFLOAT1(word, type, end)                                                    \
    CUDALAB_BOTH __nv_bfloat16 __##word##2bfloat16##end(type i)                                \
    { return __float2bfloat16##end(cudalab_odd_float(i)); }
#define CUDALAB_TO_BFLOAT(word, type, wide)                                                    \
    CUDALAB_TO_BFLOAT1(word, type, _rn) CUDALAB_TO_BFLOAT1(word, type, _rz)                    \
    CUDALAB_TO_BFLOAT1(word, type, _rd) CUDALAB_TO_BFLOAT1(word, type, _ru)
#endif
CUDALAB_TO_BFLOAT(short, short, int)
CUDALAB_TO_BFLOAT(ushort, unsigned short, int)
CUDALAB_TO_BFLOAT(int, int, int)
CUDALAB_TO_BFLOAT(uint, unsigned, uint)
CUDALAB_TO_BFLOAT(ll, long long, ll)
CUDALAB_TO_BFLOAT(ull, unsigned long long, ull)
#undef CUDALAB_TO_BFLOAT

#define CUDALAB_SOURCE "f32"
#define CUDALAB_SOURCE_IN(a) "f"(cudalab_float(a))

/* ---- Arithmetic ---- */

/* add.bf16 needs sm_90. Before, sums and products are fused ones with 1, -1 or -0. */
#if CUDALAB_ARCH >= 800
#define CUDALAB_HAS_FMA
CUDALAB_FMA(, "bf16", "fma.rn")
CUDALAB_FMA(_relu, "bf16", "fma.rn.relu")
CUDALAB_UNARY(__hneg, "bf16", "neg")
CUDALAB_UNARY(__habs, "bf16", "abs")
#define CUDALAB_FUSED(name, x, y, z)                                                           \
    CUDALAB_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b)                          \
    { return __hfma(cudalab_single(x), cudalab_single(y), cudalab_single(z)); }                \
    CUDALAB_BOTH __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b)                    \
    { return __hfma2(cudalab_twin(x), cudalab_twin(y), cudalab_twin(z)); }
CUDALAB_BOTH __nv_bfloat16 cudalab_single(__nv_bfloat16 a) { return a; }
CUDALAB_BOTH __nv_bfloat162 cudalab_twin(__nv_bfloat162 a) { return a; }
CUDALAB_BOTH __nv_bfloat16 cudalab_single(int bits)
{ return __nv_bfloat16_raw{(unsigned short)bits}; }
CUDALAB_BOTH __nv_bfloat162 cudalab_twin(int bits)
{ return __nv_bfloat162_raw{(unsigned short)bits, (unsigned short)bits}; }
CUDALAB_FUSED(__hadd, a, 0x3f80, b)
CUDALAB_FUSED(__hsub, b, 0xbf80, a)
CUDALAB_FUSED(__hmul, a, b, 0x8000)
#undef CUDALAB_FUSED
#else
CUDALAB_ARITHMETIC_BY_FLOAT
#endif

#include "cudalab_number16_functions.h"

CUDALAB_VARIANTS
#ifdef CUDALAB_HAS_FMA
CUDALAB_FN __nv_bfloat16 __hfma_sat(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{ return cudalab_saturated(__hfma(a, b, c)); }
CUDALAB_FN __nv_bfloat162 __hfma2_sat(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{ return __nv_bfloat162(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)); }
#endif

/* ---- The two types of 16 bits, one from the other ---- */

#if !defined __CUDA_NO_HALF_CONVERSIONS__
CUDALAB_IN_CLASS __half::__half(__nv_bfloat16 x) : __half(__float2half(cudalab_float(x))) {}
#endif
#ifdef CUDALAB_CONVERSIONS
CUDALAB_IN_CLASS __nv_bfloat16::__nv_bfloat16(__half x)
    : __nv_bfloat16(__float2bfloat16(cudalab_float(x))) {}
#endif

/* ---- Sine and cosine ---- */

/*
 * A bfloat16 goes up to 3e38, so here x is not small. Where it is at least 2^16 it is a whole
 * number m times a power of two. The bits of 2/pi that give multiples of a full circle are left
 * out, and 64 bits of the next ones times m tell the angle. `quarters` is added to it.
 */
CUDALAB_FN double cudalab_sine(double x, int quarters)
{
    double r, size = fabs(x);
    int quadrant;
    if (!(size >= 0x1p16 && size < CUDALAB_INF)) {
        if (x == 0.0 && !quarters)
            return x;
        r = cudalab_reduce_angle(x, &quadrant);
    } else {
        const unsigned long long two_over_pi[] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0,
                                                  0xdb6295993c439041};
        const unsigned bits = __float_as_uint((float)size);
        const int skipped = (int)(bits >> 23) - 127 - 7 - 2, by = skipped & 63;
        const bool far = skipped >= 64;
        const unsigned long long high = far ? two_over_pi[1] : two_over_pi[0],
                                 low = far ? two_over_pi[2] : two_over_pi[1],
                                 next = high << by | low >> 1 >> (63 - by),
                                 circle = next * (bits >> 16 & 0x7f | 0x80);
        quadrant = (int)((circle + (1ull << 61)) >> 62);
        r = (double)(long long)(circle - ((unsigned long long)quadrant << 62)) *
            0x1.921fb54442d18p-62;
        if (x < 0.0) {
            r = -r;
            quadrant = -quadrant;
        }
    }
    quadrant += quarters;
    const double y = quadrant & 1 ? cudalab_small_cos(r) : cudalab_small_sin(r);
    return quadrant & 2 ? -y : y;
}

/* ---- Functions ---- */

CUDALAB_ROOTS_AND_LOGS(, "")
CUDALAB_BY_DOUBLE(sin, cudalab_sine(x, 0))
CUDALAB_BY_DOUBLE(cos, cudalab_sine(x, 1))
#if CUDALAB_ARCH >= 750
CUDALAB_APPROXIMATE(cudalab_tanh, "tanh.approx.f32")
CUDALAB_BY_FLOAT(tanh, cudalab_tanh(x))
#else
CUDALAB_BY_FLOAT(tanh, tanhf(x))
#endif
CUDALAB_EACH1(h2tanh_approx, htanh)
CUDALAB_BOTH __nv_bfloat16 htanh_approx(__nv_bfloat16 a) { return htanh(a); }

/* ---- Atomics: an addition is tried until nobody else wrote in between ---- */

#define CUDALAB_ATOMIC_ADD16(type, add, word, from)                                            \
    CUDALAB_FN type atomicAdd(type *p, type v)                                                 \
    {                                                                                          \
        word seen = *(const volatile word *)p, before;                                         \
        do {                                                                                   \
            before = seen;                                                                     \
            seen = atomicCAS((word *)p, before, cudalab_bits(add(v, from(before))));           \
        } while (seen != before);                                                              \
        return from(before);                                                                   \
    }
#define CUDALAB_OF_WORD(bits) __builtin_bit_cast(__nv_bfloat162, bits)
CUDALAB_ATOMIC_ADD16(__nv_bfloat162, __hadd2, unsigned, CUDALAB_OF_WORD)
#if CUDALAB_ARCH >= 700
CUDALAB_ATOMIC_ADD16(__nv_bfloat16, __hadd, unsigned short, __ushort_as_bfloat16)
#endif
#undef CUDALAB_ATOMIC_ADD16
#undef CUDALAB_OF_WORD

/* ---- Names ---- */

#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#include "cudalab_number16_end.h"

#endif
