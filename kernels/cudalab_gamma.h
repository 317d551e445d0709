/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error function and the gamma function; part of cudalab_functions.h.  Rare in kernels, so
 * these are loops that anyone can follow, and slow.
 */
#ifndef CUDALAB_GAMMA_H
#define CUDALAB_GAMMA_H

/* exp(-x^2), with what is lost in rounding the square put back. */
CUDALAB_FN double cudalab_bell(double x)
{
    double square = x * x, lost = fma(x, x, -square), e = exp(-square);
    return fma(-lost, e, e);
}

/* 2/sqrt(pi) exp(-x^2) (x + 2x^3/3 + 4x^5/15 + ...): nothing cancels. */
CUDALAB_FN double cudalab_erf_series(double x)
{
    double term = x, sum = x;
    for (int k = 1; k < 80 && fabs(term) > 1e-18 * fabs(sum); k++) {
        term *= 2.0 * x * x / (2 * k + 1);
        sum += term;
    }
    return 0x1.20dd750429b6dp+0 * cudalab_bell(x) * sum;
}

/* For x > 1.5: exp(-x^2)/sqrt(pi) / (x + (1/2)/(x + (2/2)/(x + (3/2)/...))). */
CUDALAB_FN double cudalab_erfc_fraction(double x)
{
    double below = x;
    for (int k = 100; k > 0; k--)
        below = x + 0.5 * k / below;
    return 0x1.20dd750429b6dp-1 * cudalab_bell(x) / below;
}

CUDALAB_FN double erfc(double x)
{
    if (x != x)
        return x;
    if (fabs(x) < 1.5)
        return 1.0 - cudalab_erf_series(x);
    double far = fabs(x) > 28.0 ? 0.0 : cudalab_erfc_fraction(fabs(x));
    return x < 0.0 ? 2.0 - far : far;
}

CUDALAB_FN double erf(double x)
{
    return fabs(x) < 1.5 ? cudalab_erf_series(x) : x != x ? x : copysign(1.0 - erfc(fabs(x)), x);
}

CUDALAB_FN double normcdf(double x) { return 0.5 * erfc(-x * 0x1.6a09e667f3bcdp-1); }

/* Stirling's series, for x >= 12. */
CUDALAB_FN double cudalab_stirling(double x)
{
    double square = 1.0 / (x * x), sum = -691.0 / 360360;
    sum = fma(sum, square, 1.0 / 1188);
    sum = fma(sum, square, -1.0 / 1680);
    sum = fma(sum, square, 1.0 / 1260);
    sum = fma(sum, square, -1.0 / 360);
    sum = fma(sum, square, 1.0 / 12);
    return (x - 0.5) * log(x) - x + 0x1.d67f1c864beb5p-1 + sum / x;
}

/* The product x (x + 1) ... that leads from gamma(x) to where Stirling's series is good. */
CUDALAB_FN double cudalab_rise(double x, double *top)
{
    double product = 1.0;
    for (*top = x; *top < 12.0; *top += 1.0)
        product *= *top;
    return product;
}

CUDALAB_FN double cudalab_factorial(int n)
{
    double product = 1.0;
    for (int k = 2; k <= n; k++)
        product *= k;
    return product;
}

CUDALAB_FN double cudalab_gamma_positive(double x)
{
    if (x > 172.0)
        return __builtin_inf();
    if (trunc(x) == x)
        return cudalab_factorial((int)x - 1);
    double top, product = cudalab_rise(x, &top);
    return exp(cudalab_stirling(top)) / product;
}

CUDALAB_FN double tgamma(double x)
{
    if (x == 0.0)
        return 1.0 / x;
    if (x > 0.0)
        return cudalab_gamma_positive(x);
    if (x != x || trunc(x) == x)
        return __builtin_nan("");
    return x < -184.0 ? 0.0 : 0x1.921fb54442d18p+1 / (sinpi(x) * cudalab_gamma_positive(1.0 - x));
}

CUDALAB_FN double cudalab_lgamma_positive(double x)
{
    if (x == 1.0 || x == 2.0)
        return 0.0;
    double top, product = cudalab_rise(x, &top);
    return x > 0x1p1014 ? x * log(x) : cudalab_stirling(top) - log(product);
}

CUDALAB_FN double lgamma(double x)
{
    if (x != x || isinf(x))
        return x * x;
    if (x > 0.0)
        return cudalab_lgamma_positive(x);
    if (trunc(x) == x)
        return __builtin_inf();
    return log(0x1.921fb54442d18p+1 / fabs(sinpi(x))) - cudalab_lgamma_positive(1.0 - x);
}

#endif
