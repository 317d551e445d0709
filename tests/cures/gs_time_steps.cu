// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array a f32 512 random; array b f32 512 zero; launch wave<<<4, 128>>>(a, b, 512, 6)
//@ kind race-global
//@ cure grid-sync
//@ place loop-end
#include <cooperative_groups.h>
using namespace cooperative_groups;

__global__ void wave(float *a, float *b, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *from = a, *to = b;

    for (int s = 0; s < steps; s++) {
        int left = (i + n - 1) % n;
        int right = (i + 1) % n;
        to[i] = 0.25f * from[left] + 0.5f * from[i] + 0.25f * from[right];
        float *swap = from;
        from = to;
        to = swap;
#ifdef CURED
        this_grid().sync();
#else
        __syncthreads();
#endif
    }
}
