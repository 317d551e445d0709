/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Normal numbers of our cuRAND as its header computes them on the device. Pairs of random numbers
 * give them by Box and Muller. Quasi-random points and the words of MT19937 give them by the inverse
 * of the distribution's function.
 */
#include "rand.h"

#define FN static __device__ __forceinline__

FN float uniform(unsigned x) { return fmaf((float)x, 2.3283064e-10f, 2.3283064e-10f / 2.0f); }
FN double bits53(unsigned x, unsigned y)
{
    return (double)((unsigned long long)x ^ (unsigned long long)y << 21);
}
FN double uniform_mrg(unsigned x) { return (double)x * 2.3283065498378288e-10; }

extern "C" __global__ void curand_normal_f32(rand_normals p)
{
    const float step = 2.3283064e-10f * 6.2831855f;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < p.n;
         i += (long long)gridDim.x * blockDim.x) {
        const long long at = i + p.second;
        const unsigned x = p.words[at / 2 * 2], y = p.words[at / 2 * 2 + 1];
        const float u = p.of_mrg ? (float)uniform_mrg(x) : uniform(x);
        const float angle = p.of_mrg ? (float)uniform_mrg(y) * 6.2831855f
                                     : fmaf((float)y, step, step / 2.0f);
        const float size = sqrtf(-2.0f * logf(u));
        float s, c;
        __sincosf(angle, &s, &c);
        const float z = (at & 1 ? c : s) * size;
        const float v = (float)p.mean + (float)p.deviation * z;
        ((float *)p.out)[i] = p.log ? expf(v) : v;
    }
}

extern "C" __global__ void curand_normal_f64(rand_normals p)
{
    const int each = p.of_mrg ? 2 : 4;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < p.n;
         i += (long long)gridDim.x * blockDim.x) {
        const long long at = i + p.second;
        const unsigned *w = p.words + at / 2 * each;
        const double u = p.of_mrg ? uniform_mrg(w[0]) : fma(bits53(w[0], w[1]), 0x1p-53, 0x1p-54);
        const double turns = p.of_mrg ? uniform_mrg(w[1]) * 2.0
                                      : fma(bits53(w[2], w[3]), 0x1p-52, 0x1p-53);
        const double size = sqrt(-2.0 * log(u));
        double s, c;
        sincospi(turns, &s, &c);
        const double z = (at & 1 ? c : s) * size;
        const double v = p.mean + p.deviation * z;
        ((double *)p.out)[i] = p.log ? exp(v) : v;
    }
}

/* A point of the upper half is mirrored, so that points near the end lose no digits. */
extern "C" __global__ void curand_inverse_f32(rand_normals p)
{
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < p.n;
         i += (long long)gridDim.x * blockDim.x) {
        const unsigned x = p.words[p.of_sobol64 ? 2 * i + 1 : i];
        const bool upper = x > 0x80000000;
        const float y = erfcinvf(2.0f * uniform(upper ? ~x : x));
        const float z = (upper ? 1.4142135f : -1.4142135f) * y;
        const float v = (float)p.mean + (float)p.deviation * z;
        ((float *)p.out)[i] = p.log ? expf(v) : v;
    }
}

extern "C" __global__ void curand_inverse_f64(rand_normals p)
{
    const unsigned long long most = p.of_sobol64 ? (1ull << 53) - 1 : 0xffffffff;
    const double unit = p.of_sobol64 ? 0x1p-53 : 0x1p-32;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < p.n;
         i += (long long)gridDim.x * blockDim.x) {
        const unsigned long long x =
            p.of_sobol64 ? (p.words[2 * i] | (unsigned long long)p.words[2 * i + 1] << 32) >> 11
                         : p.words[i];
        const bool upper = x > most / 2 + 1;
        const double y = erfcinv(2.0 * fma((double)(upper ? most - x : x), unit, unit / 2));
        const double z = (upper ? 1.4142135623730951 : -1.4142135623730951) * y;
        const double v = p.mean + p.deviation * z;
        ((double *)p.out)[i] = p.log ? exp(v) : v;
    }
}
