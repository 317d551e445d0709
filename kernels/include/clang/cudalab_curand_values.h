/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Uniform, normal and log-normal numbers from the bits of a generator; part of curand_kernel.h.
 * Normal numbers come in pairs, by Box and Muller. The second one waits in the state. MTGP32 and
 * Sobol's sequences make one of each number instead, by the inverse of the distribution.
 */
#ifndef CUDALAB_CURAND_VALUES_H
#define CUDALAB_CURAND_VALUES_H

/* ---- Uniform: in (0, 1] ---- */

CUDALAB_FN float cudalab_uniform(unsigned x)
{
    return fmaf((float)x, 2.3283064e-10f, 2.3283064e-10f / 2.0f);
}
/* 53 bits of two words */
CUDALAB_FN unsigned long long cudalab_53_bits(unsigned x, unsigned y)
{
    return (unsigned long long)x ^ (unsigned long long)y << 21;
}
CUDALAB_FN double cudalab_uniform_double(unsigned x, unsigned y)
{
    return fma((double)cudalab_53_bits(x, y), 0x1p-53, 0x1p-54);
}

CUDALAB_FN float curand_uniform(curandStateXORWOW *s) { return cudalab_uniform(curand(s)); }
CUDALAB_FN float curand_uniform(curandStatePhilox4_32_10 *s) { return cudalab_uniform(curand(s)); }
CUDALAB_FN float curand_uniform(curandStateMRG32k3a *s)
{
    return (float)((double)cudalab_mrg_next(s) * 2.3283065498378288e-10);
}
CUDALAB_FN float4 curand_uniform4(curandStatePhilox4_32_10 *s)
{
    const uint4 u = curand4(s);
    return make_float4(cudalab_uniform(u.x), cudalab_uniform(u.y), cudalab_uniform(u.z),
                       cudalab_uniform(u.w));
}

CUDALAB_FN double curand_uniform_double(curandStateXORWOW *s)
{
    const unsigned x = curand(s), y = curand(s);
    return cudalab_uniform_double(x, y);
}
CUDALAB_FN double curand_uniform_double(curandStatePhilox4_32_10 *s)
{
    return fma((double)curand(s), 0x1p-32, 0x1p-32);
}
CUDALAB_FN double curand_uniform_double(curandStateMRG32k3a *s)
{
    return (double)cudalab_mrg_next(s) * 2.3283065498378288e-10;
}
CUDALAB_FN double2 curand_uniform2_double(curandStatePhilox4_32_10 *s)
{
    const uint4 u = curand4(s);
    return make_double2(cudalab_uniform_double(u.x, u.y), cudalab_uniform_double(u.z, u.w));
}
CUDALAB_FN double4 curand_uniform4_double(curandStatePhilox4_32_10 *s)
{
    const double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}

/* ---- Two normal numbers ---- */

CUDALAB_FN float2 cudalab_normals(float u, float angle)
{
    const float size = sqrtf(-2.0f * logf(u));
    float s, c;
    __sincosf(angle, &s, &c);
    return make_float2(s * size, c * size);
}
CUDALAB_FN float2 cudalab_normals(unsigned x, unsigned y)
{
    const float step = 2.3283064e-10f * 6.2831855f;
    return cudalab_normals(cudalab_uniform(x), fmaf((float)y, step, step / 2.0f));
}
CUDALAB_FN double2 cudalab_normals_double(double u, double half_turns)
{
    const double size = sqrt(-2.0 * log(u));
    double s, c;
    sincospi(half_turns, &s, &c);
    return make_double2(s * size, c * size);
}
CUDALAB_FN double2 cudalab_normals_double(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return cudalab_normals_double(cudalab_uniform_double(x, y),
                                  fma((double)cudalab_53_bits(z, w), 0x1p-52, 0x1p-53));
}

template <class S> CUDALAB_FN float2 curand_normal2(S *s)
{
    const unsigned x = curand(s), y = curand(s);
    return cudalab_normals(x, y);
}
CUDALAB_FN float2 curand_normal2(curandStateMRG32k3a *s)
{
    const float u = curand_uniform(s);
    return cudalab_normals(u, curand_uniform(s) * 6.2831855f);
}
CUDALAB_FN double2 curand_normal2_double(curandStateXORWOW *s)
{
    const unsigned x = curand(s), y = curand(s), z = curand(s), w = curand(s);
    return cudalab_normals_double(x, y, z, w);
}
CUDALAB_FN double2 curand_normal2_double(curandStatePhilox4_32_10 *s)
{
    const uint4 u = curand4(s);
    return cudalab_normals_double(u.x, u.y, u.z, u.w);
}
CUDALAB_FN double2 curand_normal2_double(curandStateMRG32k3a *s)
{
    const double u = curand_uniform_double(s);
    return cudalab_normals_double(u, curand_uniform_double(s) * 2.0);
}
CUDALAB_FN float4 curand_normal4(curandStatePhilox4_32_10 *s)
{
    const uint4 u = curand4(s);
    const float2 a = cudalab_normals(u.x, u.y), b = cudalab_normals(u.z, u.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
CUDALAB_FN double4 curand_normal4_double(curandStatePhilox4_32_10 *s)
{
    const double2 a = curand_normal2_double(s), b = curand_normal2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}

/* ---- One by one, and the exponential of them ---- */

/* end: of functions and of the state's members; kind: what waits there, 1 or 2. */
#define CUDALAB_ONE_OF_PAIR(name, end, type, kind, args, first, second)                        \
    template <class S> CUDALAB_FN type name##end args                                          \
    {                                                                                          \
        if (s->boxmuller_flag##end == kind) {                                                  \
            s->boxmuller_flag##end = 0;                                                        \
            return s->boxmuller_extra##end;                                                    \
        }                                                                                      \
        const auto pair = curand_normal2##end(s);                                              \
        s->boxmuller_extra##end = second;                                                      \
        s->boxmuller_flag##end = kind;                                                         \
        return first;                                                                          \
    }
#define CUDALAB_NORMALS(end, type, exp)                                                        \
    CUDALAB_ONE_OF_PAIR(curand_normal, end, type, 1, (S *s), pair.x, pair.y)                   \
    CUDALAB_ONE_OF_PAIR(curand_log_normal, end, type, 2, (S *s, type mean, type deviation),    \
                        exp(mean + deviation * pair.x), exp(mean + deviation * pair.y))        \
    template <class S> CUDALAB_FN type##2 curand_log_normal2##end(S *s, type mean, type sigma) \
    {                                                                                          \
        const auto v = curand_normal2##end(s);                                                 \
        return {exp(mean + sigma * v.x), exp(mean + sigma * v.y)};                             \
    }                                                                                          \
    template <class S> CUDALAB_FN type##4 curand_log_normal4##end(S *s, type mean, type sigma) \
    {                                                                                          \
        const auto v = curand_normal4##end(s);                                                 \
        return {exp(mean + sigma * v.x), exp(mean + sigma * v.y), exp(mean + sigma * v.z),     \
                exp(mean + sigma * v.w)};                                                      \
    }
CUDALAB_NORMALS(, float, expf)
CUDALAB_NORMALS(_double, double, exp)

/* ---- One number of each ---- */

CUDALAB_FN float cudalab_uniform(unsigned long long x)
{ return cudalab_uniform((unsigned)(x >> 32)); }
CUDALAB_FN double cudalab_uniform_double(unsigned x) { return fma((double)x, 0x1p-32, 0x1p-32); }
CUDALAB_FN double cudalab_uniform_double(unsigned long long x)
{
    return fma((double)(x >> 11), 0x1p-53, 0x1p-54);
}

/* The upper half is a mirror of the lower one, where numbers are exact. */
CUDALAB_FN float cudalab_normal(unsigned x)
{
    const bool upper = x > 0x80000000u;
    const float p = fmaf((float)(upper ? ~x : x), 0x1p-32f, 0x1p-33f);
    return (upper ? 1.4142135f : -1.4142135f) * erfcinvf(2.0f * p);
}
CUDALAB_FN float cudalab_normal(unsigned long long x)
{ return cudalab_normal((unsigned)(x >> 32)); }
CUDALAB_FN double cudalab_normal_double(unsigned long long x, unsigned long long most, double unit)
{
    const bool upper = x > most / 2 + 1;
    const double p = fma((double)(upper ? most - x : x), unit, unit / 2.0);
    return (upper ? 1.4142135623730951 : -1.4142135623730951) * erfcinv(2.0 * p);
}
CUDALAB_FN double cudalab_normal_double(unsigned x)
{
    return cudalab_normal_double(x, 0xffffffffULL, 0x1p-32);
}
CUDALAB_FN double cudalab_normal_double(unsigned long long x)
{
    return cudalab_normal_double(x >> 11, 0x1fffffffffffffULL, 0x1p-53);
}

#define CUDALAB_ONE_BY_ONE(State)                                                              \
    CUDALAB_FN float curand_uniform(State *s) { return cudalab_uniform(curand(s)); }           \
    CUDALAB_FN double curand_uniform_double(State *s)                                          \
    { return cudalab_uniform_double(curand(s)); }                                              \
    CUDALAB_FN float curand_normal(State *s) { return cudalab_normal(curand(s)); }             \
    CUDALAB_FN double curand_normal_double(State *s)                                           \
    { return cudalab_normal_double(curand(s)); }                                               \
    CUDALAB_FN float curand_log_normal(State *s, float mean, float deviation)                  \
    { return expf(fmaf(deviation, curand_normal(s), mean)); }                                  \
    CUDALAB_FN double curand_log_normal_double(State *s, double mean, double deviation)        \
    { return exp(fma(deviation, curand_normal_double(s), mean)); }
CUDALAB_ONE_BY_ONE(curandStateSobol32)
CUDALAB_ONE_BY_ONE(curandStateScrambledSobol32)
CUDALAB_ONE_BY_ONE(curandStateSobol64)
CUDALAB_ONE_BY_ONE(curandStateScrambledSobol64)
CUDALAB_ONE_BY_ONE(curandStateMtgp32)

#endif
