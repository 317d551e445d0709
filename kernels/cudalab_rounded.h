/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conversions and arithmetic whose names state the rounding, and the fast, rough functions;
 * part of cudalab_device.h.
 */
#ifndef CUDALAB_ROUNDED_H
#define CUDALAB_ROUNDED_H

#define CUDALAB_CAST(name, to, out, from, in, instruction)                                     \
    CUDALAB_FN to name(from x)                                                                 \
    {                                                                                          \
        to y;                                                                                  \
        asm("cvt." instruction " %0, %1;" : out(y) : in(x));                                   \
        return y;                                                                              \
    }

/* ---- Floating point to integer: nearest, towards zero, up, down ---- */

#define CUDALAB_TO_INTEGER(name, to, out, from, in, types)                                     \
    CUDALAB_CAST(name##_rn, to, out, from, in, "rni." types)                                   \
    CUDALAB_CAST(name##_rz, to, out, from, in, "rzi." types)                                   \
    CUDALAB_CAST(name##_ru, to, out, from, in, "rpi." types)                                   \
    CUDALAB_CAST(name##_rd, to, out, from, in, "rmi." types)

CUDALAB_TO_INTEGER(__float2int, int, "=r", float, "f", "s32.f32")
CUDALAB_TO_INTEGER(__float2uint, unsigned, "=r", float, "f", "u32.f32")
CUDALAB_TO_INTEGER(__float2ll, long long, "=l", float, "f", "s64.f32")
CUDALAB_TO_INTEGER(__float2ull, unsigned long long, "=l", float, "f", "u64.f32")
CUDALAB_TO_INTEGER(__double2int, int, "=r", double, "d", "s32.f64")
CUDALAB_TO_INTEGER(__double2uint, unsigned, "=r", double, "d", "u32.f64")
CUDALAB_TO_INTEGER(__double2ll, long long, "=l", double, "d", "s64.f64")
CUDALAB_TO_INTEGER(__double2ull, unsigned long long, "=l", double, "d", "u64.f64")

/* ---- To floating point ---- */

#define CUDALAB_TO_FLOAT(name, to, out, from, in, types)                                       \
    CUDALAB_CAST(name##_rn, to, out, from, in, "rn." types)                                    \
    CUDALAB_CAST(name##_rz, to, out, from, in, "rz." types)                                    \
    CUDALAB_CAST(name##_ru, to, out, from, in, "rp." types)                                    \
    CUDALAB_CAST(name##_rd, to, out, from, in, "rm." types)

CUDALAB_TO_FLOAT(__int2float, float, "=f", int, "r", "f32.s32")
CUDALAB_TO_FLOAT(__uint2float, float, "=f", unsigned, "r", "f32.u32")
CUDALAB_TO_FLOAT(__ll2float, float, "=f", long long, "l", "f32.s64")
CUDALAB_TO_FLOAT(__ull2float, float, "=f", unsigned long long, "l", "f32.u64")
CUDALAB_TO_FLOAT(__ll2double, double, "=d", long long, "l", "f64.s64")
CUDALAB_TO_FLOAT(__ull2double, double, "=d", unsigned long long, "l", "f64.u64")
CUDALAB_TO_FLOAT(__double2float, float, "=f", double, "d", "f32.f64")
CUDALAB_FN double __int2double_rn(int x) { return x; }
CUDALAB_FN double __uint2double_rn(unsigned x) { return x; }

/* ---- Arithmetic in a stated rounding; never fused into another instruction ---- */

#define CUDALAB_ROUNDED1(name, type, out, in, instruction)                                     \
    CUDALAB_FN type name(type x)                                                               \
    { type r; asm(instruction " %0, %1;" : out(r) : in(x)); return r; }
#define CUDALAB_ROUNDED2(name, type, out, in, instruction)                                     \
    CUDALAB_FN type name(type x, type y)                                                       \
    { type r; asm(instruction " %0, %1, %2;" : out(r) : in(x), in(y)); return r; }
#define CUDALAB_ROUNDED3(name, type, out, in, instruction)                                     \
    CUDALAB_FN type name(type x, type y, type z)                                               \
    { type r; asm(instruction " %0, %1, %2, %3;" : out(r) : in(x), in(y), in(z)); return r; }

/* p: f or d, as the names begin; mode: of the names; m: of the instructions. */
#define CUDALAB_ROUNDED_ALL(p, fma, type, out, in, mode, m, t)                                 \
    CUDALAB_ROUNDED2(__##p##add_##mode, type, out, in, "add." m t)                             \
    CUDALAB_ROUNDED2(__##p##sub_##mode, type, out, in, "sub." m t)                             \
    CUDALAB_ROUNDED2(__##p##mul_##mode, type, out, in, "mul." m t)                             \
    CUDALAB_ROUNDED2(__##p##div_##mode, type, out, in, "div." m t)                             \
    CUDALAB_ROUNDED3(__##fma##_##mode, type, out, in, "fma." m t)                              \
    CUDALAB_ROUNDED1(__##p##rcp_##mode, type, out, in, "rcp." m t)                             \
    CUDALAB_ROUNDED1(__##p##sqrt_##mode, type, out, in, "sqrt." m t)

CUDALAB_ROUNDED_ALL(f, fmaf, float, "=f", "f", rn, "rn", ".f32")
CUDALAB_ROUNDED_ALL(f, fmaf, float, "=f", "f", rz, "rz", ".f32")
CUDALAB_ROUNDED_ALL(f, fmaf, float, "=f", "f", ru, "rp", ".f32")
CUDALAB_ROUNDED_ALL(f, fmaf, float, "=f", "f", rd, "rm", ".f32")
CUDALAB_ROUNDED_ALL(d, fma, double, "=d", "d", rn, "rn", ".f64")
CUDALAB_ROUNDED_ALL(d, fma, double, "=d", "d", rz, "rz", ".f64")
CUDALAB_ROUNDED_ALL(d, fma, double, "=d", "d", ru, "rp", ".f64")
CUDALAB_ROUNDED_ALL(d, fma, double, "=d", "d", rd, "rm", ".f64")
#define CUDALAB_FMA_IEEE(mode) /* subnormal numbers stay: so does __fmaf_rn here */           \
    CUDALAB_FN float __fmaf_ieee_##mode(float x, float y, float z)                             \
    { return __fmaf_##mode(x, y, z); }
CUDALAB_FMA_IEEE(rn) CUDALAB_FMA_IEEE(rz) CUDALAB_FMA_IEEE(ru) CUDALAB_FMA_IEEE(rd)

/* ---- The fast and rough ones of the special function units ---- */

CUDALAB_FN float __fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
CUDALAB_FN float __frsqrt_rn(float x) { return (float)(1.0 / __nvvm_sqrt_rn_d(x)); }
CUDALAB_FN float __sinf(float x) { return __nvvm_sin_approx_f(x); }
CUDALAB_FN float __cosf(float x) { return __nvvm_cos_approx_f(x); }
CUDALAB_FN float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
CUDALAB_FN void __sincosf(float x, float *sine, float *cosine)
{ *sine = __sinf(x); *cosine = __cosf(x); }
CUDALAB_FN float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
CUDALAB_FN float __logf(float x) { return __log2f(x) * 0x1.62e430p-1f; }
CUDALAB_FN float __log10f(float x) { return __log2f(x) * 0x1.344136p-2f; }
CUDALAB_FN float __expf(float x) { return __nvvm_ex2_approx_f(x * 0x1.715476p+0f); }
CUDALAB_FN float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 0x1.a934f0p+1f); }
CUDALAB_FN float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __log2f(x)); }
CUDALAB_FN float __saturatef(float x) { return __nvvm_saturate_f(x); }

#endif
