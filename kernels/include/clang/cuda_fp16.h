/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for the CUDA Toolkit's header of this name: numbers of 16 bits for clang.
 *
 * A half is its 16 bits. clang 14 has no arithmetic of this type for GPUs, so an operation is one
 * instruction, written out. A GPU before sm_53 has none, and takes floats. What bfloat16 has as
 * well is in cudalab_number16.h. For NVRTC the toolkit's own header is to be used instead.
 */
#ifndef CUDALAB_CUDA_FP16_H
#define CUDALAB_CUDA_FP16_H

#include "cudalab_number16.h"

#define CUDALAB_N __half
#define CUDALAB_N2 __half2
#define CUDALAB_RAW __half_raw
#define CUDALAB_RAW2 __half2_raw
#define CUDALAB_OTHER __nv_bfloat16
#define CUDALAB_NAME(before, after) before##half##after
#define CUDALAB_NAME2(before, after) before##half2##after
#define CUDALAB_TWICE __half2half2
#define CUDALAB_PTX "f16"
#define CUDALAB_ONE 0x3c00
#define CUDALAB_INFINITE 0x7c00
#ifndef __CUDA_NO_HALF_CONVERSIONS__
#define CUDALAB_CONVERSIONS
#endif
#ifndef __CUDA_NO_HALF_OPERATORS__
#define CUDALAB_OPERATORS
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
#define CUDALAB_OPERATORS2
#endif

struct __nv_bfloat16;
#include "cudalab_number16_type.h"

/* ---- Rounding and widening ---- */

#ifdef __CUDA_ARCH__
#define CUDALAB_TO_HALF(name, from, in, instruction)                                           \
    CUDALAB_BOTH __half name(from x)                                                           \
    { __half_raw h; asm(instruction " %0, %1;" : "=h"(h.x) : in(x)); return h; }
#else /* the rounding is the instruction's second word */
#define CUDALAB_TO_HALF(name, from, in, instruction)                                           \
    CUDALAB_BOTH __half name(from x)                                                           \
    { return __half_raw{cudalab_half_of((double)x, instruction + 4)}; }
#endif
#define CUDALAB_TO_HALVES(name, from, in, ptx)                                                 \
    CUDALAB_TO_HALF(name##_rn, from, in, "cvt.rn.f16." ptx)                                    \
    CUDALAB_TO_HALF(name##_rz, from, in, "cvt.rz.f16." ptx)                                    \
    CUDALAB_TO_HALF(name##_rd, from, in, "cvt.rm.f16." ptx)                                    \
    CUDALAB_TO_HALF(name##_ru, from, in, "cvt.rp.f16." ptx)
CUDALAB_TO_HALF(__double2half, double, "d", "cvt.rn.f16.f64")
CUDALAB_TO_HALVES(__float2half, float, "f", "f32")
CUDALAB_TO_HALVES(__short2half, short, "h", "s16")
CUDALAB_TO_HALVES(__ushort2half, unsigned short, "h", "u16")
CUDALAB_TO_HALVES(__int2half, int, "r", "s32")
CUDALAB_TO_HALVES(__uint2half, unsigned, "r", "u32")
CUDALAB_TO_HALVES(__ll2half, long long, "l", "s64")
CUDALAB_TO_HALVES(__ull2half, unsigned long long, "l", "u64")
#undef CUDALAB_TO_HALVES
#undef CUDALAB_TO_HALF

#ifdef __CUDA_ARCH__
CUDALAB_BOTH float cudalab_float(__half a)
{ float x; asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(cudalab_bits(a))); return x; }
#else
CUDALAB_BOTH float cudalab_float(__half a) { return cudalab_float_of_half(cudalab_bits(a)); }
#endif

#define CUDALAB_SOURCE "f16"
#define CUDALAB_SOURCE_IN(a) "h"(cudalab_bits(a))

/* ---- Arithmetic ---- */

#if CUDALAB_ARCH >= 530
CUDALAB_BINARY(__hadd, , "f16", "add")
CUDALAB_BINARY(__hsub, , "f16", "sub")
CUDALAB_BINARY(__hmul, , "f16", "mul")
CUDALAB_BINARY(__hadd, _rn, "f16", "add.rn")
CUDALAB_BINARY(__hsub, _rn, "f16", "sub.rn")
CUDALAB_BINARY(__hmul, _rn, "f16", "mul.rn")
CUDALAB_BINARY(__hadd, _sat, "f16", "add.sat")
CUDALAB_BINARY(__hsub, _sat, "f16", "sub.sat")
CUDALAB_BINARY(__hmul, _sat, "f16", "mul.sat")
CUDALAB_UNARY(__hneg, "f16", "neg")
CUDALAB_UNARY(__habs, "f16", "abs")
#define CUDALAB_HAS_FMA
CUDALAB_FMA(, "f16", "fma.rn")
CUDALAB_FMA(_sat, "f16", "fma.rn.sat")
#else
CUDALAB_ARITHMETIC_BY_FLOAT
#endif
#if CUDALAB_ARCH >= 800
CUDALAB_FMA(_relu, "f16", "fma.rn.relu")
#endif

#include "cudalab_number16_functions.h"

#if CUDALAB_ARCH < 530
CUDALAB_VARIANTS
#endif

/* ---- Functions ---- */

CUDALAB_ROOTS_AND_LOGS(_ftz, ".ftz")
CUDALAB_BY_DOUBLE(sin, x == 0.0 ? x : sin(x))
CUDALAB_BY_DOUBLE(cos, cos(x))
CUDALAB_BY_FLOAT(tanh, tanhf(x))
#if CUDALAB_ARCH >= 750
CUDALAB_UNARY(htanh_approx, "f16", "tanh.approx")
CUDALAB_EACH1(h2tanh_approx, htanh_approx)
#else
CUDALAB_BY_FLOAT(tanh_approx, tanhf(x))
#endif

/* ---- Atomics ---- */

#if CUDALAB_ARCH >= 600
CUDALAB_FN __half2 atomicAdd(__half2 *p, __half2 v)
{
    unsigned before;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(before) : "l"(p), "r"(cudalab_bits(v)) : "memory");
    return __builtin_bit_cast(__half2, before);
}
#endif
#if CUDALAB_ARCH >= 700
CUDALAB_FN __half atomicAdd(__half *p, __half v)
{
    __half_raw before;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(before.x) : "l"(p), "h"(cudalab_bits(v)) : "memory");
    return before;
}
#endif

/* ---- Names ---- */

#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

#ifndef CUDA_NO_HALF
typedef __half half, __nv_half, nv_half;
typedef __half2 half2, __nv_half2, nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
#endif

#include "cudalab_number16_end.h"

#endif
