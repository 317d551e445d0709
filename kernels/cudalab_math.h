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
CUDALAB_FN float min(float x, float y) { return __nvvm_fmin_f(x, y); }
CUDALAB_FN float max(float x, float y) { return __nvvm_fmax_f(x, y); }
CUDALAB_FN double min(double x, double y) { return __nvvm_fmin_d(x, y); }
CUDALAB_FN double max(double x, double y) { return __nvvm_fmax_d(x, y); }
CUDALAB_FN float abs(float x) { return __builtin_fabsf(x); }
CUDALAB_FN double abs(double x) { return __builtin_fabs(x); }

#define CUDALAB_ROUNDED(name)                                                                   \
    CUDALAB_FN float __f##name##_rn(float x, float y) { return __nvvm_##name##_rn_f(x, y); }    \
    CUDALAB_FN double __d##name##_rn(double x, double y) { return __nvvm_##name##_rn_d(x, y); }

CUDALAB_ROUNDED(add)
CUDALAB_ROUNDED(mul)
CUDALAB_ROUNDED(div)
CUDALAB_FN float __fsub_rn(float x, float y) { return __nvvm_add_rn_f(x, -y); }
CUDALAB_FN float __fmaf_rn(float x, float y, float z) { return __nvvm_fma_rn_f(x, y, z); }

/* The fast and rough ones of the special function units. */
CUDALAB_FN float __fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
CUDALAB_FN float __sinf(float x) { return __nvvm_sin_approx_f(x); }
CUDALAB_FN float __cosf(float x) { return __nvvm_cos_approx_f(x); }
CUDALAB_FN float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
CUDALAB_FN float __logf(float x) { return __log2f(x) * 0x1.62e430p-1f; }
CUDALAB_FN float __expf(float x) { return __nvvm_ex2_approx_f(x * 0x1.715476p+0f); }
CUDALAB_FN float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __log2f(x)); }

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

CUDALAB_FN double exp2(double x) { return exp(x * 0x1.62e42fefa39efp-1); }
CUDALAB_FN double log2(double x) { return log(x) * 0x1.71547652b82fep+0; }
CUDALAB_FN double log10(double x) { return log(x) * 0x1.bcb7b1526e50ep-2; }
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
