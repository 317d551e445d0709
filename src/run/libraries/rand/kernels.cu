/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Normal numbers of our cuRAND, by Box and Muller, as cuRAND's header computes them on the device.
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
