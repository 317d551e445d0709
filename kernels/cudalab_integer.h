/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of integers and bits; part of cudalab_device.h.
 */
#ifndef CUDALAB_INTEGER_H
#define CUDALAB_INTEGER_H

/* ---- Bits seen as another type ---- */

CUDALAB_FN int __float_as_int(float x) { return __nvvm_bitcast_f2i(x); }
CUDALAB_FN unsigned __float_as_uint(float x) { return __nvvm_bitcast_f2i(x); }
CUDALAB_FN float __int_as_float(int x) { return __nvvm_bitcast_i2f(x); }
CUDALAB_FN float __uint_as_float(unsigned x) { return __nvvm_bitcast_i2f(x); }
CUDALAB_FN long long __double_as_longlong(double x) { return __nvvm_bitcast_d2ll(x); }
CUDALAB_FN double __longlong_as_double(long long x) { return __nvvm_bitcast_ll2d(x); }
CUDALAB_FN int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
CUDALAB_FN int __double2loint(double x) { return (int)__double_as_longlong(x); }
CUDALAB_FN double __hiloint2double(int high, int low)
{ return __longlong_as_double((long long)high << 32 | (unsigned)low); }

/* ---- Integer functions ---- */

CUDALAB_FN int __popc(unsigned x) { return __builtin_popcount(x); }
CUDALAB_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUDALAB_FN int __clz(int x) { return x ? __builtin_clz(x) : 32; }
CUDALAB_FN int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
CUDALAB_FN int __ffs(int x) { return __builtin_ffs(x); }
CUDALAB_FN int __ffsll(long long x) { return __builtin_ffsll(x); }
CUDALAB_FN unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
CUDALAB_FN unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
CUDALAB_FN int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
CUDALAB_FN unsigned __umulhi(unsigned x, unsigned y)
{ return (unsigned)((unsigned long long)x * y >> 32); }

CUDALAB_FN int abs(int x) { return x < 0 ? -x : x; }
CUDALAB_FN long labs(long x) { return x < 0 ? -x : x; }
CUDALAB_FN long long llabs(long long x) { return x < 0 ? -x : x; }


/* ---- Products, sums and means that don't overflow, or differ otherwise from * and + ---- */

CUDALAB_FN long long __mul64hi(long long x, long long y) { return __nvvm_mulhi_ll(x, y); }
CUDALAB_FN unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{ return __nvvm_mulhi_ull(x, y); }
CUDALAB_FN int __mul24(int x, int y) { return __nvvm_mul24_i(x, y); }
CUDALAB_FN unsigned __umul24(unsigned x, unsigned y) { return __nvvm_mul24_ui(x, y); }
CUDALAB_FN unsigned __sad(int x, int y, unsigned z) { return __nvvm_sad_i(x, y, z); }
CUDALAB_FN unsigned __usad(unsigned x, unsigned y, unsigned z) { return __nvvm_sad_ui(x, y, z); }
CUDALAB_FN int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
CUDALAB_FN int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
CUDALAB_FN unsigned __uhadd(unsigned x, unsigned y)
{ return (unsigned)(((unsigned long long)x + y) >> 1); }
CUDALAB_FN unsigned __urhadd(unsigned x, unsigned y)
{ return (unsigned)(((unsigned long long)x + y + 1) >> 1); }

/* ---- Bytes and bits ---- */

#define CUDALAB_TERNARY(name, instruction, type, type1, type2, type3)                          \
    CUDALAB_FN type name(type1 x, type2 y, type3 z)                                            \
    {                                                                                          \
        type out;                                                                              \
        asm(instruction " %0, %1, %2, %3;" : "=r"(out) : "r"(x), "r"(y), "r"(z));              \
        return out;                                                                            \
    }

CUDALAB_TERNARY(__byte_perm, "prmt.b32", unsigned, unsigned, unsigned, unsigned)
CUDALAB_TERNARY(__funnelshift_l, "shf.l.wrap.b32", unsigned, unsigned, unsigned, unsigned)
CUDALAB_TERNARY(__funnelshift_lc, "shf.l.clamp.b32", unsigned, unsigned, unsigned, unsigned)
CUDALAB_TERNARY(__funnelshift_r, "shf.r.wrap.b32", unsigned, unsigned, unsigned, unsigned)
CUDALAB_TERNARY(__funnelshift_rc, "shf.r.clamp.b32", unsigned, unsigned, unsigned, unsigned)
CUDALAB_TERNARY(__dp4a, "dp4a.s32.s32", int, int, int, int)
CUDALAB_TERNARY(__dp4a, "dp4a.u32.u32", unsigned, unsigned, unsigned, unsigned)

/* Adds to z the products of the two 16-bit numbers of x with two bytes of y: the low bytes (lo) or
 * the high ones (hi). */
#define CUDALAB_DP2A(part)                                                                     \
    CUDALAB_TERNARY(__dp2a_##part, "dp2a." #part ".s32.s32", int, int, int, int)               \
    CUDALAB_TERNARY(__dp2a_##part, "dp2a." #part ".u32.u32", unsigned, unsigned, unsigned,     \
                    unsigned)                                                                  \
    CUDALAB_FN int __dp2a_##part(short2 x, char4 y, int z)                                     \
    { return __dp2a_##part(*(const int *)&x, *(const int *)&y, z); }                           \
    CUDALAB_FN unsigned __dp2a_##part(ushort2 x, uchar4 y, unsigned z)                         \
    { return __dp2a_##part(*(const unsigned *)&x, *(const unsigned *)&y, z); }
CUDALAB_DP2A(lo)
CUDALAB_DP2A(hi)
CUDALAB_FN int __dp4a(char4 x, char4 y, int z)
{ return __dp4a(*(const int *)&x, *(const int *)&y, z); }
CUDALAB_FN unsigned __dp4a(uchar4 x, uchar4 y, unsigned z)
{ return __dp4a(*(const unsigned *)&x, *(const unsigned *)&y, z); }

/* The place of the |n|th bit that is set, counted from `base` upwards, or downwards if n is
 * negative. */
CUDALAB_FN unsigned __fns(unsigned mask, unsigned base, int n)
{
    const int step = n < 0 ? -1 : 1;
    int left = abs(n);
    if (n == 0)
        return mask >> (base & 31) & 1 ? base : 0xffffffffu;
    for (int at = (int)base; at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && --left == 0)
            return (unsigned)at;
    return 0xffffffffu;
}

/* ---- The smaller and the larger ---- */

#define CUDALAB_MIN_MAX(type)                                       \
    CUDALAB_BOTH type min(type x, type y) { return y < x ? y : x; } \
    CUDALAB_BOTH type max(type x, type y) { return x < y ? y : x; }

CUDALAB_MIN_MAX(int)
CUDALAB_MIN_MAX(unsigned)
CUDALAB_MIN_MAX(long)
CUDALAB_MIN_MAX(unsigned long)
CUDALAB_MIN_MAX(long long)
CUDALAB_MIN_MAX(unsigned long long)

#define CUDALAB_MIN_MAX_MIXED(type, first, second)                                         \
    CUDALAB_BOTH type min(first x, second y) { return min((type)x, (type)y); }             \
    CUDALAB_BOTH type max(first x, second y) { return max((type)x, (type)y); }

CUDALAB_MIN_MAX_MIXED(unsigned, int, unsigned)
CUDALAB_MIN_MAX_MIXED(unsigned, unsigned, int)
CUDALAB_MIN_MAX_MIXED(unsigned long, long, unsigned long)
CUDALAB_MIN_MAX_MIXED(unsigned long, unsigned long, long)
CUDALAB_MIN_MAX_MIXED(unsigned long long, long long, unsigned long long)
CUDALAB_MIN_MAX_MIXED(unsigned long long, unsigned long long, long long)

CUDALAB_BOTH unsigned umin(unsigned x, unsigned y) { return min(x, y); }
CUDALAB_BOTH unsigned umax(unsigned x, unsigned y) { return max(x, y); }
CUDALAB_BOTH long long llmin(long long x, long long y) { return min(x, y); }
CUDALAB_BOTH long long llmax(long long x, long long y) { return max(x, y); }
CUDALAB_BOTH unsigned long long ullmin(unsigned long long x, unsigned long long y)
{ return min(x, y); }
CUDALAB_BOTH unsigned long long ullmax(unsigned long long x, unsigned long long y)
{ return max(x, y); }

#endif
