/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Device mathematics for clang without the CUDA Toolkit; part of cudalab_device.h.
 *
 * What the GPU has an instruction for is that instruction.  The rest is computed in double, by a
 * reduction to a small interval and a Taylor polynomial there: the float functions then round
 * correctly but for rare ties; the double ones are good to about 1e-15, pow to 1e-13.  sin, cos
 * and tan hold up to |x| = 2^40.
 */
#ifndef CUDALAB_MATH_H
#define CUDALAB_MATH_H

/* ---- One instruction each ---- */

#define CUDALAB_INSTRUCTION(name, builtin)                                 \
    CUDALAB_FN double name(double x) { return __builtin_##builtin(x); }    \
    CUDALAB_FN float name##f(float x) { return __builtin_##builtin##f(x); } \
    CUDALAB_FN float name(float x) { return __builtin_##builtin##f(x); }

CUDALAB_INSTRUCTION(fabs, fabs)
CUDALAB_INSTRUCTION(floor, floor)
CUDALAB_INSTRUCTION(ceil, ceil)
CUDALAB_INSTRUCTION(trunc, trunc)
CUDALAB_INSTRUCTION(rint, rint)
CUDALAB_INSTRUCTION(round, round)

CUDALAB_FN float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
CUDALAB_FN double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
CUDALAB_FN float sqrt(float x) { return __nvvm_sqrt_rn_f(x); }
CUDALAB_FN float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
CUDALAB_FN double rsqrt(double x) { return 1.0 / __nvvm_sqrt_rn_d(x); }

CUDALAB_FN float fmaf(float x, float y, float z) { return __nvvm_fma_rn_f(x, y, z); }
CUDALAB_FN double fma(double x, double y, double z) { return __nvvm_fma_rn_d(x, y, z); }
CUDALAB_FN float fminf(float x, float y) { return __nvvm_fmin_f(x, y); }
CUDALAB_FN float fmaxf(float x, float y) { return __nvvm_fmax_f(x, y); }
CUDALAB_FN double fmin(double x, double y) { return __nvvm_fmin_d(x, y); }
CUDALAB_FN double fmax(double x, double y) { return __nvvm_fmax_d(x, y); }
CUDALAB_BOTH float min(float x, float y) { return __builtin_fminf(x, y); }
CUDALAB_BOTH float max(float x, float y) { return __builtin_fmaxf(x, y); }
CUDALAB_BOTH double min(double x, double y) { return __builtin_fmin(x, y); }
CUDALAB_BOTH double max(double x, double y) { return __builtin_fmax(x, y); }
CUDALAB_BOTH double min(float x, double y) { return min((double)x, y); }
CUDALAB_BOTH double min(double x, float y) { return min(x, (double)y); }
CUDALAB_BOTH double max(float x, double y) { return max((double)x, y); }
CUDALAB_BOTH double max(double x, float y) { return max(x, (double)y); }
CUDALAB_FN float fmin(float x, float y) { return __nvvm_fmin_f(x, y); }
CUDALAB_FN float fmax(float x, float y) { return __nvvm_fmax_f(x, y); }
CUDALAB_FN float fma(float x, float y, float z) { return __nvvm_fma_rn_f(x, y, z); }
CUDALAB_FN float abs(float x) { return __builtin_fabsf(x); }
CUDALAB_FN double abs(double x) { return __builtin_fabs(x); }

/* ---- exp and log ---- */

#define CUDALAB_LN2_HIGH 0x1.62e42fefa0000p-1    /* 39 bits: times an exponent it is exact */
#define CUDALAB_LN2_LOW 0x1.cf79abc9e3b3ap-40

CUDALAB_FN double cudalab_power_of_two(int n)    /* -1022 <= n <= 1023 */
{
    return __longlong_as_double((long long)(n + 1023) << 52);
}

CUDALAB_FN double exp(double x)
{
    if (x != x)
        return x;
    double in_range = fmin(fmax(x, -800.0), 800.0);   /* beyond it is 0 or infinite anyway */
    double n = rint(in_range * 0x1.71547652b82fep+0);
    double r = fma(-n, CUDALAB_LN2_LOW, fma(-n, CUDALAB_LN2_HIGH, in_range));

    double sum = 1.0;                                  /* 1 + r (1 + r/2 (1 + r/3 (...))) */
#pragma unroll
    for (int k = 14; k > 0; k--)
        sum = fma(sum, r * (1.0 / k), 1.0);

    int half = (int)n / 2;                             /* 2^n in two steps: it may overflow */
    return sum * cudalab_power_of_two(half) * cudalab_power_of_two((int)n - half);
}

CUDALAB_FN double log(double x)
{
    if (!(x > 0.0))
        return x == 0.0 ? -__builtin_inf() : __builtin_nan("");
    if (x == __builtin_inf())
        return x;

    int shift = x < 0x1p-1022 ? 54 : 0;                /* subnormal numbers have no exponent */
    long long bits = __double_as_longlong(shift ? x * 0x1p54 : x);
    int n = (int)(bits >> 52) - 1023 - shift;
    double m = __longlong_as_double((bits & 0xfffffffffffffLL) | 0x3ff0000000000000LL);
    if (m > 0x1.6a09e667f3bcdp+0) {
        m *= 0.5;
        n++;
    }

    double s = (m - 1.0) / (m + 1.0);                  /* log m = 2 (s + s^3/3 + s^5/5 + ...) */
    double sum = 0.0;
#pragma unroll
    for (int k = 23; k > 1; k -= 2)
        sum = fma(sum, s * s, 1.0 / k);
    double tail = fma(n, CUDALAB_LN2_LOW, 2.0 * s * s * s * sum);
    return fma(n, CUDALAB_LN2_HIGH, 2.0 * s + tail);
}

CUDALAB_FN double cudalab_whole_power(double x, int n)
{
    double power = 1.0, square = x;
    for (int rest = n < 0 ? -n : n; rest; rest >>= 1, square *= square)
        if (rest & 1)
            power *= square;
    return n < 0 ? 1.0 / power : power;
}

CUDALAB_FN double pow(double x, double y)
{
    double size = fabs(x);
    if (y == 0.0 || x == 1.0)
        return 1.0;
    if (x != x || y != y)
        return x + y;

    bool whole = trunc(y) == y;
    bool odd = whole && trunc(y * 0.5) != y * 0.5;
    if (x < 0.0 && !whole)
        return size == __builtin_inf() ? (y < 0.0 ? 0.0 : size) : __builtin_nan("");
    if (whole && fabs(y) <= 64.0)                      /* whole numbers stay whole numbers */
        return cudalab_whole_power(x, (int)y);
    double result = size == 1.0 ? 1.0 : exp(y * log(size));
    return odd ? __builtin_copysign(result, x) : result;
}

/* ---- sin, cos, tan ---- */

/* x less the nearest multiple of pi/2; its number, modulo 4, goes to *quadrant. */
CUDALAB_FN double cudalab_reduce_angle(double x, int *quadrant)
{
    double n = rint(x * 0x1.45f306dc9c883p-1);
    *quadrant = (int)((long long)n & 3);
    double r = fma(-n, 0x1.921fb54442d18p+0, x);
    return fma(-n, 0x1.1a62633145c07p-54, r);
}

/* Both for |r| <= pi/4: r - r^3/3! + ..., 1 - r^2/2! + ... */
CUDALAB_FN double cudalab_small_sin(double r)
{
    double sum = 1.0;
#pragma unroll
    for (int k = 18; k > 0; k -= 2)
        sum = fma(sum, r * r * (-1.0 / (k * (k + 1))), 1.0);
    return r * sum;
}

CUDALAB_FN double cudalab_small_cos(double r)
{
    double sum = 1.0;
#pragma unroll
    for (int k = 17; k > 0; k -= 2)
        sum = fma(sum, r * r * (-1.0 / (k * (k + 1))), 1.0);
    return sum;
}

CUDALAB_FN void sincos(double x, double *sine, double *cosine)
{
    int quadrant;
    double r = cudalab_reduce_angle(x, &quadrant);
    double s = cudalab_small_sin(r), c = cudalab_small_cos(r);

    *sine = quadrant & 1 ? c : s;
    *cosine = quadrant & 1 ? s : c;
    if (quadrant & 2)
        *sine = -*sine;
    if (quadrant == 1 || quadrant == 2)
        *cosine = -*cosine;
}

CUDALAB_FN double sin(double x)
{
    double s, c;
    sincos(x, &s, &c);
    return s;
}

CUDALAB_FN double cos(double x)
{
    double s, c;
    sincos(x, &s, &c);
    return c;
}

CUDALAB_FN double tan(double x)
{
    double s, c;
    sincos(x, &s, &c);
    return s / c;
}

CUDALAB_FN void sincosf(float x, float *sine, float *cosine)
{
    double s, c;
    sincos(x, &s, &c);
    *sine = (float)s;
    *cosine = (float)c;
}

/* ---- What follows from those ---- */

/* Powers of two come out exact, in both directions. */
CUDALAB_FN double exp2(double x)
{
    double in_range = fmin(fmax(x, -1100.0), 1100.0), n = rint(in_range);
    double result = exp((in_range - n) * 0x1.62e42fefa39efp-1);
    int half = (int)n / 2;
    return x != x ? x : result * cudalab_power_of_two(half) * cudalab_power_of_two((int)n - half);
}

CUDALAB_FN double log2(double x)
{
    if (!(x > 0.0) || x == __builtin_inf())
        return log(x);
    int shift = x < 0x1p-1022 ? 54 : 0;
    long long bits = __double_as_longlong(shift ? x * 0x1p54 : x);
    int n = (int)(bits >> 52) - 1023 - shift;
    double m = __longlong_as_double((bits & 0xfffffffffffffLL) | 0x3ff0000000000000LL);
    if (m > 0x1.6a09e667f3bcdp+0) {
        m *= 0.5;
        n++;
    }
    return n + log(m) * 0x1.71547652b82fep+0;
}

/* 10 to the power 0, 1, ... 22 is exact. */
CUDALAB_FN double cudalab_power_of_ten(int n)
{
    double power = 1.0;
    for (int i = 0; i < n; i++)
        power *= 10.0;
    return power;
}

CUDALAB_FN double log10(double x)
{
    double y = log(x) * 0x1.bcb7b1526e50ep-2, n = rint(y);
    return n >= 0.0 && n < 23.0 && cudalab_power_of_ten((int)n) == x ? n : y;
}

CUDALAB_FN double tanh(double x)
{
    double e = exp(-2.0 * fabs(x));
    return __builtin_copysign((1.0 - e) / (1.0 + e), x);
}

#define CUDALAB_IN_DOUBLE(name)                                         \
    CUDALAB_FN float name##f(float x) { return (float)name((double)x); } \
    CUDALAB_FN float name(float x) { return (float)name((double)x); }

CUDALAB_IN_DOUBLE(exp)
CUDALAB_IN_DOUBLE(exp2)
CUDALAB_IN_DOUBLE(log)
CUDALAB_IN_DOUBLE(log2)
CUDALAB_IN_DOUBLE(log10)
CUDALAB_IN_DOUBLE(sin)
CUDALAB_IN_DOUBLE(cos)
CUDALAB_IN_DOUBLE(tan)
CUDALAB_IN_DOUBLE(tanh)

CUDALAB_FN float powf(float x, float y) { return (float)pow((double)x, (double)y); }
CUDALAB_FN float pow(float x, float y) { return powf(x, y); }

#endif
