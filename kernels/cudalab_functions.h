/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rest of CUDA's mathematics, over what cudalab_math.h has; part of cudalab_device.h.
 *
 * Again all is computed in double: float functions are then right to the last bit but for rare
 * ties, double ones to some 1e-15 (erfc and tgamma far out to 1e-13).  Each name exists in
 * double, with f at its end in float, and by overloading.
 */
#ifndef CUDALAB_FUNCTIONS_H
#define CUDALAB_FUNCTIONS_H

#define CUDALAB_PI 0x1.921fb54442d18p+1
#define CUDALAB_INF __builtin_inf()

#include "cudalab_parts.h"

/* ---- Roots and lengths ---- */

CUDALAB_FN double cbrt(double x)
{
    if (x == 0.0 || !isfinite(x))
        return x;
    double size = fabs(x), y = exp(log(size) * 0x1.5555555555555p-2);
    y -= (y - size / (y * y)) * 0x1.5555555555555p-2;  /* Newton's step on an almost right one */
    return copysign(y, x);
}
CUDALAB_FN double rcbrt(double x) { return 1.0 / cbrt(x); }

CUDALAB_FN double hypot(double x, double y)
{
    double large = fmax(fabs(x), fabs(y)), small = fmin(fabs(x), fabs(y));
    if (isinf(x) || isinf(y))
        return CUDALAB_INF;
    if (x != x || y != y || large == 0.0)
        return x + y == 0.0 ? 0.0 : x + y;
    double ratio = small / large;
    return large * sqrt(fma(ratio, ratio, 1.0));
}
CUDALAB_FN double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
CUDALAB_FN double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
CUDALAB_FN double norm4d(double x, double y, double z, double w)
{ return hypot(hypot(x, y), hypot(z, w)); }
CUDALAB_FN double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
CUDALAB_FN float norm3df(float x, float y, float z) { return (float)norm3d(x, y, z); }
CUDALAB_FN float norm4df(float x, float y, float z, float w) { return (float)norm4d(x, y, z, w); }
CUDALAB_FN float rnorm3df(float x, float y, float z) { return (float)rnorm3d(x, y, z); }

/* ---- exp and log near 0, and in tens ---- */

CUDALAB_FN double expm1(double x)
{
    if (fabs(x) > 0.5)
        return exp(x) - 1.0;
    double sum = 1.0;                                  /* x (1 + x/2 (1 + x/3 (...))) */
#pragma unroll
    for (int k = 15; k > 1; k--)
        sum = fma(sum, x * (1.0 / k), 1.0);
    return x * sum;
}

/* log(u) is off by as much as u = 1 + x is; x / (u - 1) takes that back. */
CUDALAB_FN double log1p(double x)
{
    double u = 1.0 + x;
    return u == 1.0 || x == CUDALAB_INF ? x : log(u) * (x / (u - 1.0));
}

CUDALAB_FN double exp10(double x)
{
    if (x >= 0.0 && x < 23.0 && trunc(x) == x)
        return cudalab_power_of_ten((int)x);
    double product = fmin(fmax(x, -400.0), 400.0) * 0x1.26bb1bbb55516p+1;
    double rest = fma(fmin(fmax(x, -400.0), 400.0), 0x1.26bb1bbb55516p+1, -product)
                + x * -0x1.f48ad494ea3e9p-53;
    double power = exp(product);
    return x != x ? x : isfinite(power) && fabs(x) < 400.0 ? fma(power, rest, power) : power;
}

/* ---- Hyperbolic functions ---- */

CUDALAB_FN double sinh(double x)
{
    double size = fabs(x);
    if (size > 700.0) {                                /* exp alone would overflow too early */
        double root = exp(0.5 * size);
        return copysign(0.5 * root * root, x);
    }
    double e = expm1(size);
    return copysign(0.5 * (e + e / (e + 1.0)), x);
}

CUDALAB_FN double cosh(double x)
{
    double root = exp(0.5 * fabs(x)), e = root * root;
    return fabs(x) > 700.0 ? 0.5 * root * root : 0.5 * (e + 1.0 / e);
}

CUDALAB_FN double asinh(double x)
{
    double a = fabs(x);
    if (!(a < 0x1p28))
        return copysign(log(a) + 0x1.62e42fefa39efp-1, x);
    return copysign(log1p(a + a * a / (1.0 + sqrt(a * a + 1.0))), x);
}

CUDALAB_FN double acosh(double x)
{
    double t = x - 1.0;
    return x > 0x1p28 ? log(x) + 0x1.62e42fefa39efp-1 : log1p(t + sqrt(2.0 * t + t * t));
}

CUDALAB_FN double atanh(double x)
{
    double a = fabs(x);
    return copysign(0.5 * log1p(2.0 * a / (1.0 - a)), x);
}

/* ---- Angles ---- */

/* atan x = 2 atan(x / (1 + sqrt(1 + x^2))), twice; then x - x^3/3 + x^5/5 ... */
CUDALAB_FN double atan(double x)
{
    if (x != x)
        return x;
    double size = fabs(x), y = size > 1.0 ? 1.0 / size : size;
    y = y / (1.0 + sqrt(fma(y, y, 1.0)));
    y = y / (1.0 + sqrt(fma(y, y, 1.0)));
    double sum = 0.0, square = -y * y;
#pragma unroll
    for (int k = 25; k > 1; k -= 2)
        sum = fma(sum, square, 1.0 / k);
    double angle = 4.0 * fma(y * square, sum, y);
    return copysign(size > 1.0 ? CUDALAB_PI / 2 - angle : angle, x);
}

CUDALAB_FN double atan2(double y, double x)
{
    if (x != x || y != y)
        return x + y;
    if (isinf(x) && isinf(y))
        return copysign(x > 0.0 ? CUDALAB_PI / 4 : CUDALAB_PI * 0.75, y);
    double angle = y == 0.0 ? 0.0 : atan(fabs(y) / fabs(x));
    return copysign(signbit(x) ? CUDALAB_PI - angle : angle, y);
}

CUDALAB_FN double asin(double x) { return x == 0.0 ? x : atan(x / sqrt((1.0 - x) * (1.0 + x))); }
CUDALAB_FN double acos(double x) { return 2.0 * atan(sqrt((1.0 - x) / (1.0 + x))); }

/* sin and cos of pi x: here the reduction is exact. */
CUDALAB_FN void sincospi(double x, double *sine, double *cosine)
{
    double n = rint(2.0 * x), r = fma(-0.5, n, x) * CUDALAB_PI;
    int quadrant = (int)(n - 4.0 * floor(n * 0.25));
    double s = cudalab_small_sin(r), c = cudalab_small_cos(r);

    *sine = quadrant & 1 ? c : s;
    *cosine = quadrant & 1 ? s : c;
    if (quadrant & 2)
        *sine = -*sine;
    if (quadrant == 1 || quadrant == 2)
        *cosine = -*cosine;
}
CUDALAB_FN void sincospif(float x, float *sine, float *cosine)
{
    double s, c;
    sincospi(x, &s, &c);
    *sine = (float)s;
    *cosine = (float)c;
}
CUDALAB_FN double sinpi(double x) { double s, c; sincospi(x, &s, &c); return s; }
CUDALAB_FN double cospi(double x) { double s, c; sincospi(x, &s, &c); return c; }

#include "cudalab_gamma.h"

/* ---- All of them in float ---- */

#define CUDALAB_IN_DOUBLE2(name)                                                         \
    CUDALAB_FN float name##f(float x, float y) { return (float)name((double)x, (double)y); } \
    CUDALAB_FN float name(float x, float y) { return (float)name((double)x, (double)y); }

CUDALAB_IN_DOUBLE(logb) CUDALAB_IN_DOUBLE(cbrt) CUDALAB_IN_DOUBLE(rcbrt)
CUDALAB_IN_DOUBLE(expm1) CUDALAB_IN_DOUBLE(log1p) CUDALAB_IN_DOUBLE(exp10)
CUDALAB_IN_DOUBLE(sinh) CUDALAB_IN_DOUBLE(cosh) CUDALAB_IN_DOUBLE(asinh)
CUDALAB_IN_DOUBLE(acosh) CUDALAB_IN_DOUBLE(atanh) CUDALAB_IN_DOUBLE(atan)
CUDALAB_IN_DOUBLE(asin) CUDALAB_IN_DOUBLE(acos) CUDALAB_IN_DOUBLE(sinpi)
CUDALAB_IN_DOUBLE(cospi) CUDALAB_IN_DOUBLE(erf) CUDALAB_IN_DOUBLE(erfc)
CUDALAB_IN_DOUBLE(tgamma) CUDALAB_IN_DOUBLE(lgamma) CUDALAB_IN_DOUBLE(normcdf)
CUDALAB_IN_DOUBLE2(fmod) CUDALAB_IN_DOUBLE2(remainder) CUDALAB_IN_DOUBLE2(fdim)
CUDALAB_IN_DOUBLE2(hypot) CUDALAB_IN_DOUBLE2(rhypot) CUDALAB_IN_DOUBLE2(atan2)

/* An instruction since 7.5; it is an approximation there. */
CUDALAB_FN float __tanhf(float x)
{
#if __CUDA_ARCH__ >= 750
    asm("tanh.approx.f32 %0, %1;" : "=f"(x) : "f"(x));
    return x;
#else
    return tanhf(x);
#endif
}

#endif
