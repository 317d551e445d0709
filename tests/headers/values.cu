/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values of functions, for tests/unit/mathsim.c: a kernel each, in double and in float */
#define ONE(g)                                                                                 \
    extern "C" __global__ void value_##g(const double *x, const double *, double *d, double *s) \
    {                                                                                          \
        int i = threadIdx.x;                                                                   \
        d[i] = g(x[i]);                                                                        \
        s[i] = g##f((float)x[i]);                                                              \
    }
#define TWO(g)                                                                                 \
    extern "C" __global__ void value_##g(const double *x, const double *y, double *d, double *s) \
    {                                                                                          \
        int i = threadIdx.x;                                                                   \
        d[i] = g(x[i], y[i]);                                                                  \
        s[i] = g##f((float)x[i], (float)y[i]);                                                 \
    }
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh)
ONE(asinh) ONE(acosh) ONE(atanh) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(log) ONE(log2)
ONE(log10) ONE(log1p) ONE(sqrt) ONE(rsqrt) ONE(cbrt) ONE(rcbrt) ONE(erf) ONE(erfc) ONE(tgamma)
ONE(lgamma) ONE(normcdf) ONE(sinpi) ONE(cospi) ONE(floor) ONE(ceil) ONE(trunc) ONE(round)
ONE(rint) ONE(nearbyint) ONE(fabs) ONE(logb)
TWO(pow) TWO(atan2) TWO(fmod) TWO(remainder) TWO(hypot) TWO(rhypot) TWO(fdim) TWO(fmin)
TWO(fmax) TWO(copysign)
