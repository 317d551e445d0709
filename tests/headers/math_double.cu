/* SPDX-License-Identifier: GPL-3.0-or-later */
/* each function of doubles once */
#include <cmath>
__global__ void each(double *p, int *n)
{
    double x = p[0], y = p[1], s, c;
    p[0] = sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + atan2(x, y) + sinh(x);
    p[1] = cosh(x) + tanh(x) + asinh(x) + acosh(x) + atanh(x) + exp(x) + exp2(x) + exp10(x);
    p[2] = expm1(x) + log(x) + log2(x) + log10(x) + log1p(x) + logb(x) + pow(x, y) + sqrt(x);
    p[3] = rsqrt(x) + cbrt(x) + rcbrt(x) + hypot(x, y) + rhypot(x, y) + norm3d(x, y, x);
    p[4] = fmod(x, y) + remainder(x, y) + fdim(x, y) + fmin(x, y) + fmax(x, y) + fma(x, y, x);
    p[5] = floor(x) + ceil(x) + trunc(x) + round(x) + rint(x) + nearbyint(x) + fabs(x);
    p[6] = erf(x) + erfc(x) + tgamma(x) + lgamma(x) + normcdf(x) + sinpi(x) + cospi(x);
    p[7] = copysign(x, y) + nextafter(x, y) + ldexp(x, n[0]) + scalbn(x, n[0]) + frexp(x, n + 1);
    p[8] = modf(x, p + 10) + lround(x) + llround(x) + lrint(x) + llrint(x) + ilogb(x);
    sincos(x, &s, &c);
    p[9] = s + c + isnan(x) + isinf(x) + isfinite(x) + signbit(x) + norm4d(x, y, x, y);
    sincospi(x, p + 11, p + 12);
}
