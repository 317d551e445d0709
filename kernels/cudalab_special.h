/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inverses of the error function, Bessel functions and other rare functions; part of
 * cudalab_device.h. Most are computed in double, by loops that are short and slow.
 */
#ifndef CUDALAB_SPECIAL_H
#define CUDALAB_SPECIAL_H

/* ---- Inverses of erf, erfc and normcdf ---- */

/* erfc's root for 0 < p <= 1/2: a rational guess, and three of Halley's steps. */
CUDALAB_FN double cudalab_erfc_root(double p)
{
    if (!(p > 0.0))
        return p == 0.0 ? CUDALAB_INF : __builtin_nan("");
    double t = sqrt(-2.0 * log(0.5 * p));
    double x = (t - (2.30753 + 0.27061 * t) / (1.0 + t * (0.99229 + 0.04481 * t))) * 0.70710678;
    for (int i = 0; i < 3; i++) {
        double error = erfc(x) - p;
        x += error / (0x1.20dd750429b6dp+0 * cudalab_bell(x) - x * error);
    }
    return x;
}

CUDALAB_FN double erfinv(double x)
{
    if (!(fabs(x) < 0.5))
        return copysign(cudalab_erfc_root(1.0 - fabs(x)), x);
    double y = x * 0x1.c5bf891b4ef6bp-1;
    for (int i = 0; i < 4; i++) {
        double error = erf(y) - x;
        y -= error / (0x1.20dd750429b6dp+0 * cudalab_bell(y) + y * error);
    }
    return y;
}

CUDALAB_FN double erfcinv(double p)
{
    return p > 0.5 && p < 1.5 ? erfinv(1.0 - p)
           : p >= 1.5         ? -cudalab_erfc_root(2.0 - p)
                              : cudalab_erfc_root(p);
}

CUDALAB_FN double normcdfinv(double p) { return -0x1.6a09e667f3bcdp+0 * erfcinv(2.0 * p); }

/* exp(x^2) erfc(x) */
CUDALAB_FN double erfcx(double x)
{
    if (x < 1.5)
        return x < -26.7 ? CUDALAB_INF : erfc(x) / cudalab_bell(x);
    double below = x;
    for (int k = 100; k > 0; k--)
        below = x + 0.5 * k / below;
    return 0x1.20dd750429b6dp-1 / below;
}

/* ---- Bessel functions ---- */

struct cudalab_bessel { double j0, j1, jn, y0, y1; };

/* Far out: Hankel's series, order 0 or 1, up to its smallest term. */
CUDALAB_FN void cudalab_hankel(double x, int order, double *j, double *y)
{
    double sum[2] = {1.0, 0.0}, term = 1.0, s, c;
    for (int k = 1; k < 60 && fabs(term) > 1e-18; k++) {
        term *= (4.0 * order * order - (2.0 * k - 1.0) * (2.0 * k - 1.0)) / (8.0 * k * x);
        if (k & 1)
            sum[1] += k & 2 ? -term : term;
        else
            sum[0] += k & 2 ? -term : term;
    }
    sincos(x, &s, &c);
    double size = rsqrt(CUDALAB_PI * x);
    double cosine = order ? s - c : c + s, sine = order ? -(s + c) : s - c;
    *j = size * (sum[0] * cosine - sum[1] * sine);
    *y = size * (sum[0] * sine + sum[1] * cosine);
}

/* Near: downwards from an order where the function is 0. The sum of all even orders gives the
 * scale, and sums of even and odd ones the functions of the second kind. */
CUDALAB_FN cudalab_bessel cudalab_recurrence(double x, int n)
{
    double above = 0.0, here = 0x1p-500, all = 0.0, even = 0.0, odd = 0.0, wanted = 0.0;
    double first = 0.0;
    const double far = fmax((double)n, x);
    for (int k = (int)(far + 44.0 + sqrt(40.0 * far)) & ~1; k >= 0; k--) {
        const int half = k / 2;
        wanted = k == n ? here : wanted;
        first = k == 1 ? here : first;
        all += k & 1 ? 0.0 : k ? 2.0 * here : here;
        if (k > 1 && !(k & 1))
            even += (half & 1 ? here : -here) / half;
        if (k > 1 && k & 1)
            odd += (half & 1 ? -here : here) * k / ((double)half * (half + 1));
        if (k == 0)
            break;
        double below = 2.0 * k / x * here - above;
        above = here, here = below;
        if (fabs(here) > 0x1p500) {
            const double s = 0x1p-900;
            above *= s, here *= s, all *= s, even *= s, odd *= s, wanted *= s, first *= s;
        }
    }
    double j0 = here / all, j1 = first / all, two = 2.0 / CUDALAB_PI;
    double t = log(0.5 * x) + 0x1.2788cfc6fb619p-1;
    return {j0, j1, wanted / all, two * (t * j0 + 2.0 * even / all),
            two * ((t - 1.0) * j1 - j0 / x - odd / all)};
}

CUDALAB_FN cudalab_bessel cudalab_bessel_of(double x, int n)
{
    cudalab_bessel b = {1.0, 0.5 * x, 0.0, 0.0, 0.0};
    if (x < 1e-9) {
        b.jn = 1.0;
        for (int k = 1; k <= n; k++)
            b.jn *= 0.5 * x / k;
        b.y0 = (log(0.5 * x) + 0x1.2788cfc6fb619p-1) * 2.0 / CUDALAB_PI;
        b.y1 = -2.0 / CUDALAB_PI / x;
        return b;
    }
    if (x <= 25.0)
        return cudalab_recurrence(x, n);
    if (isinf(x))
        return {0.0, 0.0, 0.0, 0.0, 0.0};
    double jn = 0.0;
    if (n > x)
        jn = cudalab_recurrence(x, n).jn;
    cudalab_hankel(x, 0, &b.j0, &b.y0);
    cudalab_hankel(x, 1, &b.j1, &b.y1);
    double before = b.j0, now = b.j1;
    for (int k = 1; k < n && n <= x; k++) {
        double next = 2.0 * k / x * now - before;
        before = now, now = next;
    }
    b.jn = n > x ? jn : n == 0 ? b.j0 : now;
    return b;
}

CUDALAB_FN double jn(int n, double x)
{
    if (x != x || n < 0)
        return __builtin_nan("");
    double y = cudalab_bessel_of(fabs(x), n).jn;
    return n & 1 && x < 0.0 ? -y : y;
}
CUDALAB_FN double yn(int n, double x)
{
    if (x != x || n < 0 || x < 0.0)
        return __builtin_nan("");
    if (x == 0.0)
        return -CUDALAB_INF;
    cudalab_bessel b = cudalab_bessel_of(x, 0);
    double before = b.y0, now = n ? b.y1 : b.y0;
    for (int k = 1; k < n && !isinf(now); k++) {
        double next = 2.0 * k / x * now - before;
        before = now, now = next;
    }
    return now;
}
CUDALAB_FN double j0(double x) { return jn(0, x); }
CUDALAB_FN double j1(double x) { return jn(1, x); }
CUDALAB_FN double y0(double x) { return yn(0, x); }
CUDALAB_FN double y1(double x) { return yn(1, x); }

/* I_0 and I_1: all terms of the series are positive. */
CUDALAB_FN double cudalab_bessel_i(double x, int order)
{
    const double size = fabs(x), square = 0.25 * x * x;
    if (x != x || size == CUDALAB_INF)
        return order ? x : size;
    double term = 1.0, sum = 1.0;
    if (size <= 30.0) {
        for (int k = 1; k < 100; k++) {
            term *= square / ((double)k * (k + order));
            sum += term;
        }
        return order ? 0.5 * x * sum : sum;
    }
    for (int k = 1; k < 60 && fabs(term) > 1e-18; k++) {
        term *= ((2.0 * k - 1.0) * (2.0 * k - 1.0) - 4.0 * order) / (8.0 * k * size);
        sum += term;
    }
    double root = exp(0.5 * size), y = root * (sum / sqrt(2.0 * CUDALAB_PI * size)) * root;
    return order ? copysign(y, x) : y;
}
CUDALAB_FN double cyl_bessel_i0(double x) { return cudalab_bessel_i(x, 0); }
CUDALAB_FN double cyl_bessel_i1(double x) { return cudalab_bessel_i(x, 1); }

/* ---- What is left of a division, with the quotient's low bits ---- */

CUDALAB_FN double remquo(double x, double y, int *quotient)
{
    const double left = remainder(x, y);
    *quotient = 0;
    if (left != left || isinf(y))
        return left;
    /* The quotient modulo 8 comes from what is left of a division by 8 y. */
    double size = fabs(y) < 0x1p1020 ? fmod(fabs(x), 8.0 * fabs(y)) : fabs(x);
    int bits = (int)rint((size - (signbit(x) ? -left : left)) / fabs(y)) & 7;
    *quotient = signbit(x) != signbit(y) ? -bits : bits;
    return left;
}
CUDALAB_FN float remquof(float x, float y, int *quotient)
{ return (float)remquo((double)x, (double)y, quotient); }
CUDALAB_FN float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }

/* ---- Others ---- */

template <class T> CUDALAB_FN double cudalab_norm(int count, const T *x)
{
    double length = 0.0;
    for (int i = 0; i < count; i++)
        length = hypot(length, (double)x[i]);
    return length;
}
CUDALAB_FN double norm(int count, const double *x) { return cudalab_norm(count, x); }
CUDALAB_FN float normf(int count, const float *x) { return (float)cudalab_norm(count, x); }
CUDALAB_FN double rnorm(int count, const double *x) { return 1.0 / norm(count, x); }
CUDALAB_FN float rnormf(int count, const float *x) { return 1.0f / normf(count, x); }
CUDALAB_FN double rnorm4d(double x, double y, double z, double w)
{ return 1.0 / norm4d(x, y, z, w); }
CUDALAB_FN float rnorm4df(float x, float y, float z, float w)
{ return (float)rnorm4d(x, y, z, w); }
CUDALAB_FN double fdivide(double x, double y) { return x / y; }
CUDALAB_FN float fdividef(float x, float y) { return x / y; }
CUDALAB_FN float fdivide(float x, float y) { return x / y; }
CUDALAB_FN double scalbln(double x, long n) { return ldexp(x, (int)min(max(n, -4000L), 4000L)); }
CUDALAB_FN float scalblnf(float x, long n) { return (float)scalbln((double)x, n); }
CUDALAB_FN float jnf(int n, float x) { return (float)jn(n, (double)x); }
CUDALAB_FN float ynf(int n, float x) { return (float)yn(n, (double)x); }

CUDALAB_IN_DOUBLE(erfinv) CUDALAB_IN_DOUBLE(erfcinv) CUDALAB_IN_DOUBLE(erfcx)
CUDALAB_IN_DOUBLE(normcdfinv) CUDALAB_IN_DOUBLE(cyl_bessel_i0) CUDALAB_IN_DOUBLE(cyl_bessel_i1)
CUDALAB_IN_DOUBLE(j0) CUDALAB_IN_DOUBLE(j1) CUDALAB_IN_DOUBLE(y0) CUDALAB_IN_DOUBLE(y1)

/* The C library's own names for these tests, one for each type. */
CUDALAB_FN int __isnan(double x) { return isnan(x); }
CUDALAB_FN int __isnanf(float x) { return isnan(x); }
CUDALAB_FN int __isinf(double x) { return isinf(x); }
CUDALAB_FN int __isinff(float x) { return isinf(x); }
CUDALAB_FN int __finite(double x) { return isfinite(x); }
CUDALAB_FN int __finitef(float x) { return isfinite(x); }
CUDALAB_FN int __signbit(double x) { return signbit(x); }
CUDALAB_FN int __signbitf(float x) { return signbit(x); }

#endif
