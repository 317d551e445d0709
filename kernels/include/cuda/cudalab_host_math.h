/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mathematics that CUDA gives to host code too, and that the C library does not have; part of the
 * stand-in cuda_runtime.h. They are made of what the C library has, with the C library's accuracy.
 */
#ifndef CUDALAB_HOST_MATH_H
#define CUDALAB_HOST_MATH_H

#define CUDALAB_HOST_ONE(name, value)                                                          \
    CUDALAB_HOST_FN double name(double x) { return value; }                                    \
    CUDALAB_HOST_FN float name##f(float given) { double x = given; return (float)(value); }
#define CUDALAB_HOST_ROOT_HALF 0.70710678118654752440

/* x less the nearest even number, which is exact. */
CUDALAB_HOST_FN double cudalab_half_turns(double x)
{ return x - 2.0 * rint(x * 0.5); }

/* sin(pi x): the angle is brought near 0 first, so that multiples of pi give an exact 0. */
CUDALAB_HOST_FN double cudalab_host_sinpi(double x)
{
    double turns = cudalab_half_turns(x);
    if (fabs(turns) > 0.5)
        turns = (turns > 0 ? 1.0 : -1.0) - turns;
    return turns == 0.0 ? x * 0.0 : sin(turns * 3.14159265358979323846);
}

/* The zero of `value`, by Newton's method: value and slope at x are given by f. */
template <class F> inline double cudalab_newton(double x, F f)
{
    for (int i = 0; i < 60; i++) {
        double step = f(x);
        x -= step;
        if (fabs(step) <= 1e-16 * fabs(x))
            break;
    }
    return x;
}

/* erf(y) = x. The first value is an approximation by elementary functions. */
inline double cudalab_host_erfinv(double x)
{
    if (!(fabs(x) < 1.0))
        return fabs(x) == 1.0 ? x * (double)__builtin_inf() : __builtin_nan("");
    double l = log((1.0 - x) * (1.0 + x)), a = 4.33074675078 + 0.5 * l;
    double first = sqrt(sqrt(a * a - l * 6.80272108844) - a);
    return x == 0.0 ? x : cudalab_newton(x < 0 ? -first : first, [x](double y) {
        return (erf(y) - x) * 0.88622692545275801365 * exp(y * y);
    });
}

/* erfc(y) = x, for small x by logarithms, where erfc is far too flat. */
inline double cudalab_host_erfcinv(double x)
{
    if (!(x > 0.0 && x < 2.0))
        return x == 0.0 ? (double)__builtin_inf() : x == 2.0 ? -(double)__builtin_inf()
                                                             : __builtin_nan("");
    if (x > 0.25)
        return x > 1.75 ? -cudalab_host_erfcinv(2.0 - x) : cudalab_host_erfinv(1.0 - x);
    return cudalab_newton(sqrt(-log(x)), [x](double y) {
        double at = erfc(y);
        return (log(x) - log(at)) * 0.88622692545275801365 * at * exp(y * y);
    });
}

/* exp(x * x) * erfc(x): by a continued fraction where erfc has nearly vanished. */
inline double cudalab_host_erfcx(double x)
{
    if (x < 10.0)
        return exp(x * x) * erfc(x);
    double tail = 0.0;
    for (int k = 40; k > 0; k--)
        tail = 0.5 * k / (x + tail);
    return 0.56418958354775628695 / (x + tail);
}

/* The modified Bessel function I of an order: a sum of positive terms. */
inline double cudalab_host_bessel_i(double x, int order)
{
    double quarter = 0.25 * x * x, term = order ? 0.5 * x : 1.0, sum = term;
    for (int k = 1; fabs(term) > 1e-18 * fabs(sum) && k < 2000; k++)
        sum += term *= quarter / ((double)k * (k + order));
    return sum;
}

CUDALAB_HOST_ONE(rsqrt, 1.0 / sqrt(x))
CUDALAB_HOST_ONE(rcbrt, 1.0 / cbrt(x))
CUDALAB_HOST_ONE(sinpi, cudalab_host_sinpi(x))
CUDALAB_HOST_ONE(cospi, fabs(x) > 0x1p53 ? 1.0 : cudalab_host_sinpi(cudalab_half_turns(x) + 0.5))
CUDALAB_HOST_ONE(erfinv, cudalab_host_erfinv(x))
CUDALAB_HOST_ONE(erfcinv, cudalab_host_erfcinv(x))
CUDALAB_HOST_ONE(erfcx, cudalab_host_erfcx(x))
CUDALAB_HOST_ONE(normcdf, 0.5 * erfc(-x * CUDALAB_HOST_ROOT_HALF))
CUDALAB_HOST_ONE(normcdfinv, -cudalab_host_erfcinv(2.0 * x) / CUDALAB_HOST_ROOT_HALF)
CUDALAB_HOST_ONE(cyl_bessel_i0, cudalab_host_bessel_i(x, 0))
CUDALAB_HOST_ONE(cyl_bessel_i1, cudalab_host_bessel_i(x, 1))

CUDALAB_HOST_FN double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
CUDALAB_HOST_FN float rhypotf(float x, float y) { return (float)(1.0 / hypot(x, y)); }
CUDALAB_HOST_FN double fdivide(double x, double y) { return x / y; }
CUDALAB_HOST_FN float fdividef(float x, float y) { return x / y; }
CUDALAB_HOST_FN void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}
CUDALAB_HOST_FN void sincospif(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}
CUDALAB_HOST_FN double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
CUDALAB_HOST_FN float norm3df(float x, float y, float z) { return (float)norm3d(x, y, z); }
CUDALAB_HOST_FN double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
CUDALAB_HOST_FN float rnorm3df(float x, float y, float z) { return (float)rnorm3d(x, y, z); }
CUDALAB_HOST_FN double norm4d(double x, double y, double z, double w)
{ return hypot(hypot(x, y), hypot(z, w)); }
CUDALAB_HOST_FN float norm4df(float x, float y, float z, float w)
{ return (float)norm4d(x, y, z, w); }
#undef CUDALAB_HOST_ONE

#endif
