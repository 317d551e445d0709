/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole numbers of a Poisson distribution, and of one that the host library made a table of; part
 * of curand_kernel.h. cuRAND takes one of three ways to a Poisson number, by its mean. Each is here
 * as there, so that the same numbers come out.
 */
#ifndef CUDALAB_CURAND_DISCRETE_H
#define CUDALAB_CURAND_DISCRETE_H

CUDALAB_FN unsigned cudalab_rounded(double mean, double deviation, double normal)
{
    return (unsigned)(deviation * normal + mean + 0.5);
}

/* ---- A small mean: uniform numbers are multiplied until their product is below exp(-mean) ---- */

template <class S> CUDALAB_FN unsigned cudalab_poisson_product(S *s, float mean)
{
    unsigned n = 0;
    for (float p = expf(mean) * curand_uniform(s); p > 1.0f; n++)
        p *= curand_uniform(s);
    return n;
}

/* ---- A medium one: rejection, where a logistic function stands for the gamma distribution ---- */

#define CUDALAB_APPROXIMATELY(name, instruction)                                               \
    CUDALAB_FN float cudalab_##name(float x)                                                   \
    {                                                                                          \
        asm(instruction ".approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(x));                         \
        return x;                                                                              \
    }
CUDALAB_APPROXIMATELY(near_rsqrt, "rsqrt")
CUDALAB_APPROXIMATELY(near_rcp, "rcp")
CUDALAB_APPROXIMATELY(near_exp2, "ex2")
CUDALAB_APPROXIMATELY(near_log2, "lg2")
CUDALAB_FN float cudalab_near_exp(float x)
{
    return cudalab_near_exp2((float)(x * 1.4426950408889634074));
}
CUDALAB_FN float cudalab_near_log(float x)
{
    return (float)(cudalab_near_log2(x) * 0.69314718055994530942);
}

/* Chances are 1 / (1 + exp(slope (mean - x) - shift))^2. The numbers are cuRAND's fit. */
struct cudalab_gamma_fit {
    float mean, slope, shift;
    CUDALAB_MEMBER cudalab_gamma_fit(float m)
        : mean(m),
          slope(fmaf(1.43248035075540910f, cudalab_near_rsqrt(m - 0.12400979329415655f),
                     0.00025361074907033f)),
          shift(fmaf(0.21096734870196546f, cudalab_near_rsqrt(m - 1.97381164089999420f),
                     0.94201734077887530f)) {}
    CUDALAB_MEMBER float chance(float x) const
    {
        const float t = 1.0f + cudalab_near_exp(fmaf(slope, mean - x, -shift));
        return cudalab_near_rcp(t * t);
    }
    CUDALAB_MEMBER float inverse(float chance) const
    {
        const float t = shift + cudalab_near_log(cudalab_near_rsqrt(chance) - 1.0f);
        return fmaf(-t, cudalab_near_rcp(slope), mean);
    }
};

template <class S> CUDALAB_FN unsigned cudalab_poisson_rejection(S *s, float mean)
{
    const cudalab_gamma_fit fit(mean);
    const float log_mean = cudalab_near_log(mean);
    for (;;) {
        const float x = floorf(fit.inverse(curand_uniform(s)));
        const float bound = (fit.chance(x + 1.0f) - fit.chance(x)) * 1.3f;
        const float z = curand_uniform(s) * bound;
        const float wanted = cudalab_near_exp(fmaf(x, log_mean, -mean) - (float)lgamma(1.0 + x));
        if (z < wanted && bound >= 1e-20)
            return (unsigned)x;
    }
}

/* ---- curand_poisson; a large mean is a normal distribution ---- */

#define CUDALAB_POISSON(State)                                                                 \
    CUDALAB_FN unsigned curand_poisson(State *s, double mean)                                  \
    {                                                                                          \
        return mean < 64     ? cudalab_poisson_product(s, (float)mean)                         \
               : mean > 4000 ? cudalab_rounded(mean, sqrt(mean), curand_normal_double(s))      \
                             : cudalab_poisson_rejection(s, (float)mean);                      \
    }
CUDALAB_POISSON(curandStateXORWOW)
CUDALAB_POISSON(curandStatePhilox4_32_10)
CUDALAB_POISSON(curandStateMRG32k3a)

CUDALAB_FN uint4 cudalab_rounded(double mean, double deviation, double4 normal)
{
    return make_uint4(cudalab_rounded(mean, deviation, normal.x),
                      cudalab_rounded(mean, deviation, normal.y),
                      cudalab_rounded(mean, deviation, normal.z),
                      cudalab_rounded(mean, deviation, normal.w));
}
CUDALAB_FN uint4 curand_poisson4(curandStatePhilox4_32_10 *s, double mean)
{
    if (mean > 4000)
        return cudalab_rounded(mean, sqrt(mean), curand_normal4_double(s));
    uint4 v = make_uint4(0, 0, 0, 0);
#pragma nounroll
    for (int i = 0; i < 4; i++)
        v = make_uint4(v.y, v.z, v.w, curand_poisson(s, mean));
    return v;
}

/* One number of the generator gives one Poisson number: chances are added up until they reach it.
 * exp(-mean) would be 0 for a large mean, so that it comes in parts. */
CUDALAB_FN double cudalab_below_one(unsigned x) { return fma((double)x, 0x1p-32, 0x1p-33); }
CUDALAB_FN double cudalab_below_one(unsigned long long x)
{
    return fma((double)(x >> 11), 0x1p-53, 0x1p-55);
}
template <class Word> CUDALAB_FN unsigned cudalab_poisson_of(Word x, double mean)
{
    if (mean >= 1000)
        return cudalab_rounded(mean, sqrt(mean), cudalab_normal_double(x));
    const double wanted = cudalab_below_one(x);
    double chance = 1.0, sum = 1.0, done = 0.0;
    unsigned n = 0;
    do {
        const double part = exp(-(mean > done + 500.0 ? 500.0 : mean - done));
        chance *= part;
        sum *= part;
        while (wanted > sum) {
            n++;
            chance *= mean / n;
            sum += chance;
        }
        done += 500.0;
    } while (done < mean);
    return n;
}

/* ---- Distributions with a table ---- */

struct curandDistributionShift_st {
    curandDistribution_t probability, host_probability;
    unsigned shift, length, host_gen;
};
struct curandHistogramM2_st {
    curandHistogramM2V_t V, host_V;
    curandHistogramM2K_t K, host_K;
    unsigned host_gen;
};
struct curandDistributionM2Shift_st {
    curandHistogramM2_t histogram, host_histogram;
    unsigned shift, length, host_gen;
};
struct curandDiscreteDistribution_st {
    curandDiscreteDistribution_t self_host_ptr;
    curandDistributionM2Shift_t M2, host_M2;
    double stddev, mean;
    curandMethod_t method;
    unsigned host_gen;
};

/* A column of the table belongs to two numbers. V is where the one ends and the other begins. */
template <class Word>
CUDALAB_FN unsigned cudalab_from_table(Word x, const curandDistributionM2Shift_st *table)
{
    const double u = cudalab_uniform_double(x);
    const int column = (int)floor(table->length * u);
    return table->shift + (u < table->histogram->V[column] ? (unsigned)column
                                                           : table->histogram->K[column]);
}
template <class S> CUDALAB_FN unsigned curand_discrete(S *s, curandDiscreteDistribution_t d)
{
    return d->method == CURAND_M2
               ? cudalab_from_table(curand(s), d->M2)
               : cudalab_rounded(d->mean, d->stddev, curand_normal_double(s));
}
CUDALAB_FN uint4 curand_discrete4(curandStatePhilox4_32_10 *s, curandDiscreteDistribution_t d)
{
    if (d->method != CURAND_M2)
        return cudalab_rounded(d->mean, d->stddev, curand_normal4_double(s));
    const uint4 x = curand4(s);
    return make_uint4(cudalab_from_table(x.x, d->M2), cudalab_from_table(x.y, d->M2),
                      cudalab_from_table(x.z, d->M2), cudalab_from_table(x.w, d->M2));
}

#define CUDALAB_POISSON_OF(State)                                                              \
    CUDALAB_FN unsigned curand_poisson(State *s, double mean)                                  \
    { return cudalab_poisson_of(curand(s), mean); }
CUDALAB_POISSON_OF(curandStateSobol32)
CUDALAB_POISSON_OF(curandStateScrambledSobol32)
CUDALAB_POISSON_OF(curandStateSobol64)
CUDALAB_POISSON_OF(curandStateScrambledSobol64)
CUDALAB_POISSON_OF(curandStateMtgp32)

#endif
