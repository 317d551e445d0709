// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 1024 random; array partial f32 8 zero; array total f32 1 zero; launch sumAll<<<8, 128>>>(x, partial, total)
//@ kind race-global
//@ cure grid-sync
//@ place between
#ifdef CURED
#include <cooperative_groups.h>
#endif

__global__ void sumAll(const float *x, float *partial, float *total)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = s[0];
#ifdef CURED
    cooperative_groups::this_grid().sync();
#else
    __syncthreads();
#endif
    // all partial sums are there now, block 0 puts them together
    if (blockIdx.x == 0 && t == 0) {
        float sum = 0.0f;
        for (int b = 0; b < (int)gridDim.x; b++)
            sum += partial[b];
        *total = sum;
    }
}
