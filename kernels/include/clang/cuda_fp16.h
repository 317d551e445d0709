/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for the CUDA Toolkit's header of this name: numbers of 16 bits for clang.
 *
 * A half is its 16 bits.  Every operation is one instruction, written out, since clang 14 has no
 * arithmetic of this type for GPUs.  For NVRTC the toolkit's own header is to be used instead.
 */
#ifndef CUDALAB_CUDA_FP16_H
#define CUDALAB_CUDA_FP16_H

#define CUDALAB_MEMBER __attribute__((host, device, always_inline, nodebug)) inline

struct __align__(2) __half {
    unsigned short bits;
    __half() = default;
    CUDALAB_MEMBER __half(float x);
    CUDALAB_MEMBER __half(double x) : __half((float)x) {}
    CUDALAB_MEMBER __half(int x) : __half((float)x) {}
    CUDALAB_MEMBER operator float() const;
};
struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    CUDALAB_MEMBER __half2(__half low, __half high) : x(low), y(high) {}
};
typedef __half half;
typedef __half2 half2;

/* ---- Conversions ---- */

CUDALAB_FN __half __ushort_as_half(unsigned short bits) { __half h; h.bits = bits; return h; }
CUDALAB_FN unsigned short __half_as_ushort(__half h) { return h.bits; }
CUDALAB_FN unsigned cudalab_pair(__half2 h) { return h.x.bits | (unsigned)h.y.bits << 16; }
CUDALAB_FN __half2 cudalab_of_pair(unsigned bits)
{
    __half2 h;
    h.x.bits = (unsigned short)bits;
    h.y.bits = (unsigned short)(bits >> 16);
    return h;
}

#define CUDALAB_TO_HALF(name, from, in, instruction)                                           \
    CUDALAB_FN __half name(from x)                                                             \
    { __half h; asm(instruction " %0, %1;" : "=h"(h.bits) : in(x)); return h; }
#define CUDALAB_OF_HALF(name, to, out, instruction)                                            \
    CUDALAB_FN to name(__half h)                                                               \
    { to x; asm(instruction " %0, %1;" : out(x) : "h"(h.bits)); return x; }

CUDALAB_TO_HALF(__float2half_rn, float, "f", "cvt.rn.f16.f32")
CUDALAB_TO_HALF(__float2half_rz, float, "f", "cvt.rz.f16.f32")
CUDALAB_TO_HALF(__int2half_rn, int, "r", "cvt.rn.f16.s32")
CUDALAB_TO_HALF(__uint2half_rn, unsigned, "r", "cvt.rn.f16.u32")
CUDALAB_OF_HALF(cudalab_float_of_half, float, "=f", "cvt.f32.f16")
CUDALAB_OF_HALF(__half2int_rn, int, "=r", "cvt.rni.s32.f16")
CUDALAB_OF_HALF(__half2int_rz, int, "=r", "cvt.rzi.s32.f16")
CUDALAB_OF_HALF(__half2uint_rn, unsigned, "=r", "cvt.rni.u32.f16")

/* Host code is only checked, so the host's forms are declarations. */
__host__ __half __float2half(float x);
__host__ float __half2float(__half h);
CUDALAB_FN __half __float2half(float x) { return __float2half_rn(x); }
CUDALAB_FN float __half2float(__half h) { return cudalab_float_of_half(h); }
CUDALAB_BOTH __half __double2half(double x) { return __float2half((float)x); }
CUDALAB_MEMBER __half::__half(float x) { *this = __float2half(x); }
CUDALAB_MEMBER __half::operator float() const { return __half2float(*this); }

/* ---- Pairs ---- */

CUDALAB_BOTH __half2 make_half2(__half low, __half high) { return __half2(low, high); }
CUDALAB_BOTH __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
CUDALAB_BOTH __half2 __half2half2(__half h) { return __half2(h, h); }
CUDALAB_BOTH __half2 __floats2half2_rn(float low, float high)
{ return __half2(__float2half(low), __float2half(high)); }
CUDALAB_BOTH __half2 __float2half2_rn(float x) { return __floats2half2_rn(x, x); }
CUDALAB_BOTH __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
CUDALAB_BOTH __half __low2half(__half2 h) { return h.x; }
CUDALAB_BOTH __half __high2half(__half2 h) { return h.y; }
CUDALAB_BOTH __half2 __lowhigh2highlow(__half2 h) { return __half2(h.y, h.x); }
CUDALAB_BOTH float __low2float(__half2 h) { return __half2float(h.x); }
CUDALAB_BOTH float __high2float(__half2 h) { return __half2float(h.y); }
CUDALAB_BOTH float2 __half22float2(__half2 h)
{ return make_float2(__half2float(h.x), __half2float(h.y)); }

/* ---- Arithmetic ---- */

#define CUDALAB_HALF2(name, instruction)                                                       \
    CUDALAB_FN __half name(__half a, __half b)                                                 \
    {                                                                                          \
        __half r;                                                                              \
        asm(instruction ".f16 %0, %1, %2;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));         \
        return r;                                                                              \
    }                                                                                          \
    CUDALAB_FN __half2 name##2(__half2 a, __half2 b)                                           \
    {                                                                                          \
        unsigned r;                                                                            \
        asm(instruction ".f16x2 %0, %1, %2;"                                                   \
            : "=r"(r) : "r"(cudalab_pair(a)), "r"(cudalab_pair(b)));                           \
        return cudalab_of_pair(r);                                                             \
    }

CUDALAB_HALF2(__hadd, "add")
CUDALAB_HALF2(__hsub, "sub")
CUDALAB_HALF2(__hmul, "mul")

CUDALAB_FN __half __hfma(__half a, __half b, __half c)
{
    __half r;
    asm("fma.rn.f16 %0, %1, %2, %3;"
        : "=h"(r.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return r;
}
CUDALAB_FN __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    unsigned r;
    asm("fma.rn.f16x2 %0, %1, %2, %3;"
        : "=r"(r) : "r"(cudalab_pair(a)), "r"(cudalab_pair(b)), "r"(cudalab_pair(c)));
    return cudalab_of_pair(r);
}
CUDALAB_FN __half __hneg(__half a) { return __ushort_as_half(a.bits ^ 0x8000); }
CUDALAB_FN __half __habs(__half a) { return __ushort_as_half(a.bits & 0x7fff); }
CUDALAB_FN __half2 __hneg2(__half2 a) { return cudalab_of_pair(cudalab_pair(a) ^ 0x80008000u); }

/* What has no instruction goes through float, which rounds to the same half. */
CUDALAB_FN __half __hdiv(__half a, __half b)
{ return __float2half(__half2float(a) / __half2float(b)); }
CUDALAB_FN __half2 __h2div(__half2 a, __half2 b)
{ return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
#define CUDALAB_HALF_BY_FLOAT(name)                                                            \
    CUDALAB_FN __half h##name(__half a) { return __float2half(name##f(__half2float(a))); }
CUDALAB_HALF_BY_FLOAT(sqrt) CUDALAB_HALF_BY_FLOAT(rsqrt) CUDALAB_HALF_BY_FLOAT(exp)
CUDALAB_HALF_BY_FLOAT(exp2) CUDALAB_HALF_BY_FLOAT(log) CUDALAB_HALF_BY_FLOAT(log2)
CUDALAB_HALF_BY_FLOAT(sin) CUDALAB_HALF_BY_FLOAT(cos) CUDALAB_HALF_BY_FLOAT(floor)
CUDALAB_HALF_BY_FLOAT(ceil) CUDALAB_HALF_BY_FLOAT(trunc) CUDALAB_HALF_BY_FLOAT(rint)

/* ---- Comparisons, the smaller, the larger ---- */

#define CUDALAB_HALF_COMPARE(name, op)                                                         \
    CUDALAB_FN bool name(__half a, __half b) { return __half2float(a) op __half2float(b); }    \
    CUDALAB_FN bool operator op(__half a, __half b) { return name(a, b); }
CUDALAB_HALF_COMPARE(__heq, ==) CUDALAB_HALF_COMPARE(__hne, !=)
CUDALAB_HALF_COMPARE(__hlt, <) CUDALAB_HALF_COMPARE(__hle, <=)
CUDALAB_HALF_COMPARE(__hgt, >) CUDALAB_HALF_COMPARE(__hge, >=)
CUDALAB_FN bool __hisnan(__half a) { return (a.bits & 0x7fff) > 0x7c00; }
CUDALAB_FN __half __hmin(__half a, __half b)
{ return __float2half(fminf(__half2float(a), __half2float(b))); }
CUDALAB_FN __half __hmax(__half a, __half b)
{ return __float2half(fmaxf(__half2float(a), __half2float(b))); }

#define CUDALAB_HALF_OPERATOR(op, one, two)                                                    \
    CUDALAB_FN __half operator op(__half a, __half b) { return one(a, b); }                    \
    CUDALAB_FN __half2 operator op(__half2 a, __half2 b) { return two(a, b); }                 \
    CUDALAB_FN __half &operator op##=(__half &a, __half b) { return a = one(a, b); }           \
    CUDALAB_FN __half2 &operator op##=(__half2 &a, __half2 b) { return a = two(a, b); }
CUDALAB_HALF_OPERATOR(+, __hadd, __hadd2) CUDALAB_HALF_OPERATOR(-, __hsub, __hsub2)
CUDALAB_HALF_OPERATOR(*, __hmul, __hmul2) CUDALAB_HALF_OPERATOR(/, __hdiv, __h2div)
CUDALAB_FN __half operator-(__half a) { return __hneg(a); }
CUDALAB_FN __half2 operator-(__half2 a) { return __hneg2(a); }

/* ---- Warps and atomics ---- */

#define CUDALAB_HALF_SHUFFLE(name, delta_type)                                                 \
    CUDALAB_FN __half name(unsigned mask, __half v, delta_type d, int width = 32)              \
    { return __ushort_as_half((unsigned short)name(mask, (unsigned)v.bits, d, width)); }       \
    CUDALAB_FN __half2 name(unsigned mask, __half2 v, delta_type d, int width = 32)            \
    { return cudalab_of_pair(name(mask, cudalab_pair(v), d, width)); }
CUDALAB_HALF_SHUFFLE(__shfl_sync, int)
CUDALAB_HALF_SHUFFLE(__shfl_up_sync, unsigned)
CUDALAB_HALF_SHUFFLE(__shfl_down_sync, unsigned)
CUDALAB_HALF_SHUFFLE(__shfl_xor_sync, int)

CUDALAB_FN __half atomicAdd(__half *p, __half v)
{
    __half before;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(before.bits) : "l"(p), "h"(v.bits) : "memory");
    return before;
}
CUDALAB_FN __half2 atomicAdd(__half2 *p, __half2 v)
{
    unsigned before;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(before) : "l"(p), "r"(cudalab_pair(v)) : "memory");
    return cudalab_of_pair(before);
}

#endif
