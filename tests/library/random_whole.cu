/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuRAND's Poisson and discrete numbers, Sobol's sequences and MTGP32; four digits of normals */
//! array r u32 20000
//! array d f64 6000
//! array s u32 1027 random
//! array p u32 10201 random
//! array v u64 128 random
//! launch poisson<<<2,64>>>(r)
//! launch sobol<<<1,16>>>(r+8000, d, v)
//! launch discrete<<<1,32>>>(r+12000, d+4000)
//! launch mtgp<<<1,dim3(32,4)>>>(r+15000, d+5000, s, p)
#include <curand_kernel.h>

__device__ double digits(double v) { return rint(v * 1e4) / 1e4; }

template <class S> __device__ unsigned *numbers(S *s, unsigned *r)
{
    const double means[] = {0.0, 0.5, 3.0, 20.0, 63.99, 64.0, 100.5, 999.0, 1000.0, 2345.6, 4000.0,
                            4001.0, 1e6};
#pragma nounroll
    for (double mean : means) {
        *r = curand_poisson(s, mean);
        r += 128;
    }
    *r = curand(s);
    return r + 128;
}

__global__ void poisson(unsigned *r)
{
    const unsigned me = threadIdx.x + 64 * blockIdx.x;
    curandState xorwow;
    curandStatePhilox4_32_10_t philox;
    curandStateMRG32k3a mrg;
    curand_init(1234 + blockIdx.x, me, 0, &xorwow);
    curand_init(1234 + blockIdx.x, me, 3, &philox);
    curand_init(1234 + blockIdx.x, me, 0, &mrg);
    r = numbers(&xorwow, r + me);
    r = numbers(&philox, r);
    r = numbers(&mrg, r);
    const double means[] = {7.0, 250.0, 5000.0};
#pragma nounroll
    for (double mean : means) {
        const uint4 four = curand_poisson4(&philox, mean);
        *r = four.x + four.y * 3 + four.z * 5 + four.w * 7;
        r += 128;
    }
}

template <class S> __device__ void sequence(S *s, unsigned *&r, double *&d)
{
    const auto x = curand(s);
    const unsigned values[] = {(unsigned)x, (unsigned)((unsigned long long)x >> 32),
        (unsigned)curand(s), (unsigned)s->i, (unsigned)s->x, (unsigned)sizeof *s};
    for (unsigned value : values) {
        *r = value;
        r += 16;
    }
    const double means[] = {0.7, 40.0, 700.0, 3000.0};
#pragma nounroll
    for (double mean : means) {
        *r = curand_poisson(s, mean);
        r += 16;
    }
    const double exact[] = {curand_uniform(s), curand_uniform_double(s)};
    const double near[] = {curand_normal(s), curand_normal_double(s),
        curand_log_normal(s, 0.5f, 0.25f), curand_log_normal_double(s, 0.5, 0.25)};
    for (double value : exact) {
        *d = value;
        d += 16;
    }
    for (double value : near) {
        *d = digits(value);
        d += 16;
    }
}

/* Any vectors will do: the sequence only takes their exclusive or. */
__global__ void sobol(unsigned *r, double *d, unsigned long long *v)
{
    const unsigned long long starts[] = {0, 1, 2, 100, 65535, 0xfffffffeULL, 0xffffffffULL,
                                         0xfffffffffffffffeULL};
    const unsigned long long start = starts[threadIdx.x % 8], scramble = v[threadIdx.x];
    curandStateSobol32_t a;
    curandStateScrambledSobol32_t b;
    curandStateSobol64_t e;
    curandStateScrambledSobol64_t f;
    curand_init((unsigned *)v, (unsigned)start, &a);
    curand_init((unsigned *)v + 32, (unsigned)scramble, (unsigned)start, &b);
    curand_init(v, start, &e);
    curand_init(v + 64, scramble, start, &f);
    r += threadIdx.x;
    d += threadIdx.x;
#pragma nounroll
    for (int i = 0; i < 2; i++) {
        sequence(&a, r, d);
        sequence(&b, r, d);
        sequence(&e, r, d);
        sequence(&f, r, d);
        skipahead(77u, &a);
        skipahead(0xfffffff0u, &b);
        skipahead(77ULL, &e);
        skipahead(0xfffffffffffffff0ULL, &f);
    }
}

__device__ double V[] = {0.1, 0.5, 0.6, 1.0};
__device__ unsigned K[] = {3, 2, 0, 1};
__device__ curandHistogramM2_st histogram = {V, V, K, K, 0};
__device__ curandDistributionM2Shift_st table = {&histogram, 0, 1000, 4, 0};
__device__ curandDiscreteDistribution_st by_table = {0, &table, 0, 0, 0, CURAND_M2, 0};
__device__ curandDiscreteDistribution_st normal = {0, 0, 0, 30.0, 5000.0, CURAND_DISCRETE_GAUSS,
                                                   0};

__global__ void discrete(unsigned *r, double *d)
{
    curandStatePhilox4_32_10_t philox;
    curand_init(99, threadIdx.x, 1, &philox);
    r += threadIdx.x;
#pragma nounroll
    for (int i = 0; i < 5; i++, r += 64) {
        r[0] = curand_discrete(&philox, i % 2 ? &normal : &by_table);
        const uint4 four = curand_discrete4(&philox, i % 2 ? &by_table : &normal);
        r[32] = four.x + four.y * 3 + four.z * 5 + four.w * 7;
    }
    const double4 four = curand_log_normal4_double(&philox, 0.1, 0.5);
    const float4 more = curand_log_normal4(&philox, 0.1f, 0.5f);
    d[threadIdx.x] = digits(four.x + four.y + four.z + four.w);
    d[threadIdx.x + 32] = digits(more.x + more.w);
}

/* Parameters made up, as the host library makes them: the recurrence takes any. */
__global__ void mtgp(unsigned *r, double *d, unsigned *words, unsigned *parameters)
{
    __shared__ curandStateMtgp32 s;
    mtgp32_kernel_params_t *const k = (mtgp32_kernel_params_t *)parameters;
    const unsigned me = threadIdx.x + 32 * threadIdx.y;
    for (unsigned i = me; i < 1024; i += 128)
        s.s[i] = words[i];
    for (unsigned i = me; i < 200; i += 128) {
        k->pos_tbl[i] = 50 + i % 90;
        k->sh1_tbl[i] = 1 + i % 30;
        k->sh2_tbl[i] = 1 + i % 20;
    }
    if (me == 0) {
        s.offset = 900;
        s.pIdx = 17;
        s.k = k;
    }
    __syncthreads();
    r += me;
    d += me;
#pragma nounroll
    for (int i = 0; i < 8; i++, r += 128)
        *r = curand(&s);
    *r = curand_mtgp32_specific(&s, me, 128);
    r[128] = curand_poisson(&s, 12.5);
    r[256] = s.offset + sizeof s;
    d[0] = curand_uniform(&s);
    d[128] = curand_uniform_double(&s);
    d[256] = digits(curand_normal(&s));
}
