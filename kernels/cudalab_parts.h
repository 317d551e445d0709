/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that take numbers apart or round them, all of them exact; part of
 * cudalab_functions.h.
 */
#ifndef CUDALAB_PARTS_H
#define CUDALAB_PARTS_H

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

CUDALAB_FN double fdim(double x, double y)
{
    return x != x || y != y ? x + y : x > y ? x - y : 0.0;
}

#endif
