/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for machines without the C library's headers, and for NVRTC, which has none: constants,
 * and what host code is checked against. Device functions are known before any header.
 */
#ifndef CUDALAB_LIBC_MATH_H
#define CUDALAB_LIBC_MATH_H

#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif

#ifndef INFINITY
#ifdef __CUDACC_RTC__
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000LL)
#else
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_inf()
#endif
#define HUGE_VALF INFINITY
#endif

#ifdef __CUDACC_RTC__
#include "cudalab_std.h"
#else
/* Each in double and in float; in C++ the double's name serves floats and whole numbers as well. */
#define CUDALAB_HOST1(name)                                                    \
    extern "C" double name(double x);                                          \
    extern "C" float name##f(float x);                                         \
    float name(float x);                                                       \
    template <class T> typename cudalab_whole<T>::type name(T x);
#define CUDALAB_HOST2(name)                                                    \
    extern "C" double name(double x, double y);                                \
    extern "C" float name##f(float x, float y);                                \
    float name(float x, float y);                                              \
    template <class A, class B> typename cudalab_two<A, B>::type name(A x, B y);
CUDALAB_FUNCTIONS(CUDALAB_HOST1, CUDALAB_HOST2)
#undef CUDALAB_HOST1
#undef CUDALAB_HOST2

extern "C" double fma(double x, double y, double z);
extern "C" float fmaf(float x, float y, float z);
extern "C" double ldexp(double x, int power);
extern "C" float ldexpf(float x, int power);
extern "C" double frexp(double x, int *power);
extern "C" double modf(double x, double *whole);
extern "C" long lround(double x);
extern "C" long lroundf(float x);
extern "C" long lrint(double x);

double abs(double x);
float abs(float x);
inline bool isnan(double x) { return __builtin_isnan(x); }
inline bool isnan(float x) { return __builtin_isnan(x); }
inline bool isinf(double x) { return __builtin_isinf(x); }
inline bool isinf(float x) { return __builtin_isinf(x); }
inline bool isfinite(double x) { return __builtin_isfinite(x); }
inline bool isfinite(float x) { return __builtin_isfinite(x); }
#endif

#endif
