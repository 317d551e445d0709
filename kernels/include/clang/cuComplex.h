/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Complex numbers as float2 and double2, for clang without the CUDA Toolkit. Division and absolute
 * value divide by the larger size first, so that nothing overflows between. Products that are
 * added are fused, and those that are subtracted are not, as nvcc has it.
 */
#ifndef CUDALAB_CUCOMPLEX_H
#define CUDALAB_CUCOMPLEX_H
#define CU_COMPLEX_H_

typedef float2 cuFloatComplex, cuComplex;
typedef double2 cuDoubleComplex;

#define CUDALAB_COMPLEX(f, C, T, most, times)                                                  \
    CUDALAB_BOTH T cuCreal##f(C z) { return z.x; }                                             \
    CUDALAB_BOTH T cuCimag##f(C z) { return z.y; }                                             \
    CUDALAB_BOTH C make_##C(T x, T y) { return {x, y}; }                                       \
    CUDALAB_BOTH C cuConj##f(C z) { return {z.x, -z.y}; }                                      \
    CUDALAB_BOTH C cuCadd##f(C z, C w) { return {z.x + w.x, z.y + w.y}; }                      \
    CUDALAB_BOTH C cuCsub##f(C z, C w) { return {z.x - w.x, z.y - w.y}; }                      \
    CUDALAB_BOTH C cuCmul##f(C z, C w)                                                         \
    { return {times(z.x, w.x) - times(z.y, w.y), fma##f(z.x, w.y, z.y * w.x)}; }               \
    CUDALAB_BOTH C cuCdiv##f(C z, C w)                                                         \
    {                                                                                          \
        const T scale = (T)1 / (fabs##f(w.x) + fabs##f(w.y));                                  \
        const C a = {z.x * scale, z.y * scale}, b = {w.x * scale, w.y * scale};                \
        const T by = (T)1 / fma##f(b.x, b.x, b.y * b.y);                                       \
        return {fma##f(a.x, b.x, a.y * b.y) * by, (times(a.y, b.x) - times(a.x, b.y)) * by};   \
    }                                                                                          \
    CUDALAB_BOTH T cuCabs##f(C z)                                                              \
    {                                                                                          \
        const T x = fabs##f(z.x), y = fabs##f(z.y);                                            \
        const T large = x > y ? x : y, small = x > y ? y : x, part = small / large;            \
        if (large == 0 || large > most || small > most)                                        \
            return large + small;                                                              \
        return large * sqrt##f(fma##f(part, part, (T)1));                                      \
    }                                                                                          \
    CUDALAB_BOTH C cuCfma##f(C z, C w, C v)                                                    \
    {                                                                                          \
        return {fma##f(z.x, w.x, v.x) - times(z.y, w.y),                                       \
                fma##f(z.y, w.x, fma##f(z.x, w.y, v.y))};                                      \
    }
CUDALAB_COMPLEX(f, cuFloatComplex, float, 3.402823466e38f, __fmul_rn)
CUDALAB_COMPLEX(, cuDoubleComplex, double, 1.79769313486231570e+308, __dmul_rn)

CUDALAB_BOTH cuComplex make_cuComplex(float x, float y) { return {x, y}; }
CUDALAB_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
CUDALAB_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{ return {(float)z.x, (float)z.y}; }

#endif
