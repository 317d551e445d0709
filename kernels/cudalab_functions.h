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

/* ---- Numbers taken apart ---- */

CUDALAB_FN bool isnan(double x) { return x != x; }
CUDALAB_FN bool isnan(float x) { return x != x; }
CUDALAB_FN bool isinf(double x) { return fabs(x) == CUDALAB_INF; }
CUDALAB_FN bool isinf(float x) { return fabsf(x) == __builtin_inff(); }
CUDALAB_FN bool isfinite(double x) { return fabs(x) < CUDALAB_INF; }
CUDALAB_FN bool isfinite(float x) { return fabsf(x) < __builtin_inff(); }
CUDALAB_FN bool signbit(double x) { return __double_as_longlong(x) < 0; }
CUDALAB_FN bool signbit(float x) { return __float_as_int(x) < 0; }

CUDALAB_FN double copysign(double x, double y) { return __builtin_copysign(x, y); }
CUDALAB_FN float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
CUDALAB_FN float copysign(float x, float y) { return __builtin_copysignf(x, y); }
CUDALAB_FN double nan(const char *) { return __builtin_nan(""); }
CUDALAB_FN float nanf(const char *) { return __builtin_nanf(""); }

/* x in [1/2, 1) times 2^*power. */
CUDALAB_FN double frexp(double x, int *power)
{
    *power = 0;
    if (x == 0.0 || !isfinite(x))
        return x;
    int shift = fabs(x) < 0x1p-1022 ? 54 : 0;
    long long bits = __double_as_longlong(shift ? x * 0x1p54 : x);
    *power = (int)(bits >> 52 & 0x7ff) - 1022 - shift;
    return __longlong_as_double((bits & 0x800fffffffffffffLL) | 0x3fe0000000000000LL);
}
CUDALAB_FN float frexpf(float x, int *power) { return (float)frexp((double)x, power); }
CUDALAB_FN float frexp(float x, int *power) { return frexpf(x, power); }

/* In three steps, since 2^n may lie outside of what a double holds. */
CUDALAB_FN double ldexp(double x, int n)
{
    int in_range = min(max(n, -2200), 2200), third = in_range / 3;
    double step = cudalab_power_of_two(third);
    return x * step * step * cudalab_power_of_two(in_range - 2 * third);
}
CUDALAB_FN float ldexpf(float x, int n) { return (float)ldexp((double)x, n); }
CUDALAB_FN float ldexp(float x, int n) { return ldexpf(x, n); }
CUDALAB_FN double scalbn(double x, int n) { return ldexp(x, n); }
CUDALAB_FN float scalbnf(float x, int n) { return ldexpf(x, n); }

CUDALAB_FN double modf(double x, double *whole)
{
    *whole = trunc(x);
    return copysign(isinf(x) ? 0.0 : x - *whole, x);
}
CUDALAB_FN float modff(float x, float *whole)
{
    *whole = truncf(x);
    return copysignf(isinf(x) ? 0.0f : x - *whole, x);
}
CUDALAB_FN float modf(float x, float *whole) { return modff(x, whole); }

CUDALAB_FN int ilogb(double x)
{
    int power;
    frexp(x, &power);
    return x == 0.0 || x != x ? -2147483647 - 1 : isinf(x) ? 2147483647 : power - 1;
}
CUDALAB_FN int ilogbf(float x) { return ilogb((double)x); }
CUDALAB_FN double logb(double x)
{
    return x == 0.0 ? -CUDALAB_INF : !isfinite(x) ? x * x : (double)ilogb(x);
}

CUDALAB_FN double nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0)
        return copysign(0x1p-1074, y);
    return __longlong_as_double(__double_as_longlong(x) + ((y > x) == (x > 0.0) ? 1 : -1));
}
CUDALAB_FN float nextafterf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0f)
        return copysignf(0x1p-149f, y);
    return __int_as_float(__float_as_int(x) + ((y > x) == (x > 0.0f) ? 1 : -1));
}
CUDALAB_FN float nextafter(float x, float y) { return nextafterf(x, y); }

/* ---- To whole numbers ---- */

CUDALAB_FN double nearbyint(double x) { return rint(x); }
CUDALAB_FN float nearbyintf(float x) { return rintf(x); }
CUDALAB_FN long lround(double x) { return (long)round(x); }
CUDALAB_FN long lroundf(float x) { return (long)roundf(x); }
CUDALAB_FN long long llround(double x) { return (long long)round(x); }
CUDALAB_FN long long llroundf(float x) { return (long long)roundf(x); }
CUDALAB_FN long lrint(double x) { return (long)rint(x); }
CUDALAB_FN long lrintf(float x) { return (long)rintf(x); }
CUDALAB_FN long long llrint(double x) { return (long long)rint(x); }
CUDALAB_FN long long llrintf(float x) { return (long long)rintf(x); }

/* ---- What is left of a division: exact ---- */

/* Takes y off x, doubled as often as it fits, until less than y is left; both are positive. */
CUDALAB_FN double cudalab_modulo(double x, double y)
{
    while (x >= y) {
        double most = ldexp(y, ilogb(x) - ilogb(y));
        x -= most > x ? most * 0.5 : most;
    }
    return x;
}

CUDALAB_FN double fmod(double x, double y)
{
    if (x != x || y != y || y == 0.0 || isinf(x))
        return __builtin_nan("");
    return isinf(y) ? x : copysign(cudalab_modulo(fabs(x), fabs(y)), x);
}

CUDALAB_FN double remainder(double x, double y)
{
    if (x != x || y != y || y == 0.0 || isinf(x))
        return __builtin_nan("");
    double divisor = fabs(y), left = fabs(x);
    if (isinf(y))
        return x;
    if (divisor < 0x1p1023)                            /* the quotient's last bit decides ties */
        left = cudalab_modulo(left, divisor + divisor);
    if (left + left > divisor) {
        left -= divisor;
        if (left + left >= divisor)
            left -= divisor;
    }
    return signbit(x) ? -left : left;
}

CUDALAB_FN double fdim(double x, double y) { return x != x || y != y ? x + y : x > y ? x - y : 0.0; }

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

#endif
