/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuRAND's generators: whole and uniform numbers and states bit for bit, four digits of normals */
//! array r u32 6000
//! array d f64 4000
//! launch xorwow<<<1,24>>>(r, d)
//! launch philox<<<1,24>>>(r+2000, d+1500)
//! launch mrg<<<1,24>>>(r+4000, d+3000)
#include <curand_kernel.h>

__device__ const unsigned long long places[] = {0, 1, 2, 7, 100, 65537, 1234567890123ULL, ~0ULL};
__device__ double digits(double v) { return rint(v * 1e4) / 1e4; }

template <class S> __device__ void values(S *s, unsigned *&r, double *&d)
{
    for (int i = 0; i < 5; i++, r += 24)
        *r = curand(s);
    for (int i = 0; i < 3; i++, d += 24)
        *d = curand_uniform(s);
    for (int i = 0; i < 3; i++, d += 24)
        *d = curand_uniform_double(s);
    float2 two = curand_normal2(s), logs = curand_log_normal2(s, 0.5f, 0.25f);
    double2 both = curand_normal2_double(s), big = curand_log_normal2_double(s, 0.5, 0.25);
    double normals[] = {curand_normal(s), curand_normal(s), curand_normal(s),
        curand_normal_double(s), curand_normal_double(s), curand_log_normal(s, 0.5f, 0.25f),
        curand_log_normal(s, 0.5f, 0.25f), curand_log_normal_double(s, 0.5, 0.25), two.x, two.y,
        logs.x, logs.y, both.x, both.y, big.x, big.y};
    for (double normal : normals) {
        *d = digits(normal);
        d += 24;
    }
    *r = curand(s);
    r += 24;
}

/* The toolkit's tables for MRG32k3a have too few bits for any number of sequences. */
template <class S> __device__ void begin(S *s, unsigned long long most = ~0ULL)
{
    const int i = threadIdx.x;
    const unsigned long long seed = i % 3 == 0 ? 0 : i % 3 == 1 ? 1234 : 0xfedcba9876543210ULL;
    curand_init(seed, places[i / 3] & most, places[(i * 5 + 3) % 8], s);
}

__global__ void xorwow(unsigned *r, double *d)
{
    curandState s;
    begin(&s);
    r += threadIdx.x;
    d += threadIdx.x;
    values(&s, r, d);
    skipahead(1000003ULL, &s);
    skipahead_sequence(5ULL, &s);
    for (int i = 0; i < 5; i++, r += 24)
        *r = s.v[i];
    *r = s.d;
    r[24] = sizeof s;
}

__global__ void philox(unsigned *r, double *d)
{
    curandStatePhilox4_32_10_t s;
    begin(&s);
    r += threadIdx.x;
    d += threadIdx.x;
    values(&s, r, d);
    skipahead(1000003ULL, &s);
    skipahead_sequence(~5ULL, &s);
    for (int i = 0; i < 4; i++) {
        uint4 u = curand4(&s);
        r[0] = u.x, r[24] = u.y, r[48] = u.z, r[72] = u.w;
        r += 96;
        float4 f = curand_uniform4(&s);
        double2 w = curand_uniform2_double(&s);
        d[0] = f.x + f.y, d[24] = f.z + f.w, d[48] = w.x, d[72] = w.y;
        d += 96;
        curand(&s);
    }
    float4 n = curand_normal4(&s);
    d[0] = digits(n.x), d[24] = digits(n.y), d[48] = digits(n.z), d[72] = digits(n.w);
    r[0] = s.ctr.x, r[24] = s.ctr.w, r[48] = s.STATE, r[72] = sizeof s;
}

__global__ void mrg(unsigned *r, double *d)
{
    curandStateMRG32k3a s;
    begin(&s, ~0ULL >> 24);
    r += threadIdx.x;
    d += threadIdx.x;
    values(&s, r, d);
    skipahead(1000003ULL, &s);
    skipahead_sequence(5ULL, &s);
    skipahead_subsequence(6ULL, &s);
    for (int i = 0; i < 3; i++, r += 48)
        r[0] = s.s1[i], r[24] = s.s2[i];
    r[0] = sizeof s;
}
