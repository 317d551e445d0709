/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What __half and __nv_bfloat16 have in common: macros that make their functions.
 *
 * Both types have the same functions under the same names, except where the type is a part of the
 * name. So each function is written once. cuda_fp16.h and cuda_bf16.h say what differs:
 *
 *   CUDALAB_N, CUDALAB_N2            the type and its pair
 *   CUDALAB_RAW, CUDALAB_RAW2        their bits, as structs
 *   CUDALAB_OTHER                    the other type of 16 bits
 *   CUDALAB_NAME(before, after)      a name with the type in it: __int2half_rn
 *   CUDALAB_NAME2(before, after)     a name with the pair in it: make_half2
 *   CUDALAB_PTX                      the type in PTX
 *   CUDALAB_ONE, CUDALAB_INFINITE    the bits of these numbers
 *   CUDALAB_HAS_FMA                  defined if the GPU has the fused product
 *
 * Then they include cudalab_number16_type.h, define how their numbers are rounded and added, and
 * include cudalab_number16_functions.h for all the rest. Most functions are both for the host and
 * for the device, as in the toolkit. The host computes by floats.
 */
#ifndef CUDALAB_NUMBER16_H
#define CUDALAB_NUMBER16_H

#include "cudalab_number16_host.h"

#define CUDALAB_IN_CLASS __attribute__((host, device, always_inline, nodebug)) inline

#ifdef __CUDA_ARCH__
#define CUDALAB_ARCH __CUDA_ARCH__
#else
#define CUDALAB_ARCH 0
#endif

/* The integer types, and how they are called in names of functions. */
#define CUDALAB_INTEGERS(X)                                                                    \
    X(short, short) X(unsigned short, ushort) X(int, int) X(unsigned, uint)                    \
    X(long, ll) X(unsigned long, ull) X(long long, ll) X(unsigned long long, ull)

/* One number and a pair from two, by an instruction each. */
#define CUDALAB_BINARY1(name, instruction)                                                     \
    CUDALAB_BOTH CUDALAB_N name(CUDALAB_N a, CUDALAB_N b)                                      \
    {                                                                                          \
        unsigned short r;                                                                      \
        asm(instruction : "=h"(r) : "h"(cudalab_bits(a)), "h"(cudalab_bits(b)));               \
        return CUDALAB_RAW{r};                                                                 \
    }
#define CUDALAB_BINARY2(name, instruction)                                                     \
    CUDALAB_BOTH CUDALAB_N2 name(CUDALAB_N2 a, CUDALAB_N2 b)                                   \
    {                                                                                          \
        unsigned r;                                                                            \
        asm(instruction : "=r"(r) : "r"(cudalab_bits(a)), "r"(cudalab_bits(b)));               \
        return __builtin_bit_cast(CUDALAB_N2, r);                                              \
    }
#define CUDALAB_BINARY(name, end, type, instruction)                                           \
    CUDALAB_BINARY1(name##end, instruction "." type " %0, %1, %2;")                            \
    CUDALAB_BINARY2(name##2##end, instruction "." type "x2 %0, %1, %2;")

/* a * b + c, rounded once. */
#define CUDALAB_FMA(end, type, instruction)                                                    \
    CUDALAB_FN CUDALAB_N __hfma##end(CUDALAB_N a, CUDALAB_N b, CUDALAB_N c)                    \
    {                                                                                          \
        unsigned short r;                                                                      \
        asm(instruction "." type " %0, %1, %2, %3;"                                            \
            : "=h"(r) : "h"(cudalab_bits(a)), "h"(cudalab_bits(b)), "h"(cudalab_bits(c)));     \
        return CUDALAB_RAW{r};                                                                 \
    }                                                                                          \
    CUDALAB_FN CUDALAB_N2 __hfma2##end(CUDALAB_N2 a, CUDALAB_N2 b, CUDALAB_N2 c)               \
    {                                                                                          \
        unsigned r;                                                                            \
        asm(instruction "." type "x2 %0, %1, %2, %3;"                                          \
            : "=r"(r) : "r"(cudalab_bits(a)), "r"(cudalab_bits(b)), "r"(cudalab_bits(c)));     \
        return __builtin_bit_cast(CUDALAB_N2, r);                                              \
    }

/* One number and a pair from one, by an instruction each. */
#define CUDALAB_UNARY(name, type, instruction)                                                 \
    CUDALAB_BOTH CUDALAB_N name(CUDALAB_N a)                                                   \
    {                                                                                          \
        unsigned short r;                                                                      \
        asm(instruction "." type " %0, %1;" : "=h"(r) : "h"(cudalab_bits(a)));                 \
        return CUDALAB_RAW{r};                                                                 \
    }                                                                                          \
    CUDALAB_BOTH CUDALAB_N2 name##2(CUDALAB_N2 a)                                              \
    {                                                                                          \
        unsigned r;                                                                            \
        asm(instruction "." type "x2 %0, %1;" : "=r"(r) : "r"(cudalab_bits(a)));               \
        return __builtin_bit_cast(CUDALAB_N2, r);                                              \
    }

/* The pair's function does to each half what the number's function does. */
#define CUDALAB_EACH1(two, one)                                                                \
    CUDALAB_BOTH CUDALAB_N2 two(CUDALAB_N2 a)                                                  \
    { return CUDALAB_N2(one(a.x), one(a.y)); }
#define CUDALAB_EACH2(two, one)                                                                \
    CUDALAB_BOTH CUDALAB_N2 two(CUDALAB_N2 a, CUDALAB_N2 b)                                    \
    { return CUDALAB_N2(one(a.x, b.x), one(a.y, b.y)); }

/* Sums and products for a GPU that has no instructions for the type. */
#define CUDALAB_ARITHMETIC_BY_FLOAT                                                            \
    CUDALAB_BINARY_BY_FLOAT(__hadd, +)                                                         \
    CUDALAB_BINARY_BY_FLOAT(__hsub, -)                                                         \
    CUDALAB_BINARY_BY_FLOAT(__hmul, *)                                                         \
    CUDALAB_SIGN_BY_FLOAT(__hneg, -)                                                           \
    CUDALAB_SIGN_BY_FLOAT(__habs, __builtin_fabsf)
#define CUDALAB_BINARY_BY_FLOAT(name, op)                                                      \
    CUDALAB_BOTH CUDALAB_N name(CUDALAB_N a, CUDALAB_N b)                                      \
    { return CUDALAB_NAME(__float2, _rn)(cudalab_float(a) op cudalab_float(b)); }              \
    CUDALAB_EACH2(name##2, name)
#define CUDALAB_SIGN_BY_FLOAT(name, of)                                                        \
    CUDALAB_BOTH CUDALAB_N name(CUDALAB_N a)                                                   \
    { return CUDALAB_NAME(__float2, _rn)(of(cudalab_float(a))); }                              \
    CUDALAB_EACH1(name##2, name)

/* Never fused, and between 0 and 1, where there is no instruction that says so. */
#define CUDALAB_VARIANTS                                                                       \
    CUDALAB_BOTH CUDALAB_N cudalab_saturated(CUDALAB_N a)                                      \
    { return __hmin(__hmax(a, CUDALAB_RAW{0}), CUDALAB_RAW{CUDALAB_ONE}); }                    \
    CUDALAB_VARIANTS_OF(__hadd)                                                                \
    CUDALAB_VARIANTS_OF(__hsub)                                                                \
    CUDALAB_VARIANTS_OF(__hmul)
#define CUDALAB_VARIANTS_OF(name)                                                              \
    CUDALAB_BOTH CUDALAB_N name##_rn(CUDALAB_N a, CUDALAB_N b) { return name(a, b); }          \
    CUDALAB_BOTH CUDALAB_N name##_sat(CUDALAB_N a, CUDALAB_N b)                                \
    { return cudalab_saturated(name(a, b)); }                                                  \
    CUDALAB_EACH2(name##2_rn, name)                                                            \
    CUDALAB_EACH2(name##2_sat, name##_sat)

/* A function of one number, computed as a float x and then rounded; with the pair's. */
#define CUDALAB_BY_FLOAT(name, value)                                                          \
    CUDALAB_BOTH CUDALAB_N h##name(CUDALAB_N a)                                                \
    { const float x = cudalab_float(a); return CUDALAB_NAME(__float2, )(value); }              \
    CUDALAB_EACH1(h2##name, h##name)

/* The same with a double x, where rounding to a float first could make a false tie. The toolkit's
 * functions approximate, but are made so that their results are rounded correctly, too. */
#define CUDALAB_BY_DOUBLE(name, value)                                                         \
    CUDALAB_BOTH CUDALAB_N h##name(CUDALAB_N a)                                                \
    { const double x = cudalab_float(a); return CUDALAB_NAME(__double2, )(value); }            \
    CUDALAB_EACH1(h2##name, h##name)

/* An instruction that approximates, on floats. */
#define CUDALAB_APPROXIMATE(name, instruction)                                                 \
    CUDALAB_BOTH float name(float x)                                                           \
    { float y; asm(instruction " %0, %1;" : "=f"(y) : "f"(x)); return y; }

/* Roots and logarithms of both types. `end` and `ftz` say whether the roots take a subnormal float
 * for 0. */
#define CUDALAB_ROOTS_AND_LOGS(end, ftz)                                                       \
    CUDALAB_APPROXIMATE(cudalab_rcp##end, "rcp.approx" ftz ".f32")                             \
    CUDALAB_APPROXIMATE(cudalab_sqrt##end, "sqrt.approx" ftz ".f32")                           \
    CUDALAB_APPROXIMATE(cudalab_rsqrt##end, "rsqrt.approx" ftz ".f32")                         \
    CUDALAB_BY_FLOAT(rcp, cudalab_rcp##end(x))                                                 \
    CUDALAB_BY_FLOAT(sqrt, cudalab_sqrt##end(x))                                               \
    CUDALAB_BY_FLOAT(rsqrt, cudalab_rsqrt##end(x))                                             \
    CUDALAB_BY_DOUBLE(exp, exp(x)) CUDALAB_BY_DOUBLE(exp2, exp2(x))                            \
    CUDALAB_BY_DOUBLE(exp10, exp10(x)) CUDALAB_BY_DOUBLE(log, log(x))                          \
    CUDALAB_BY_DOUBLE(log2, log2(x)) CUDALAB_BY_DOUBLE(log10, log10(x))

#endif
