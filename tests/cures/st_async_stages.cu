// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 1024 random; array y f32 1024 zero; launch stages<<<1, 128>>>(x, y, 8)
//@ kind race-shared
//@ cure syncthreads
//@ place loop-end
//@ unsaid wait for the copy
//@ arch 80
#include <cuda_pipeline.h>

__device__ void fetch(float *to, const float *from)
{
    __pipeline_memcpy_async(to, from, sizeof(float));
    __pipeline_commit();
}

// Two stages: the next tile is copied while this tile is in use.
__global__ void stages(const float *x, float *y, int tiles)
{
    __shared__ float tile[2][128];
    int t = threadIdx.x;

    fetch(&tile[0][t], &x[t]);
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles)
            fetch(&tile[(k + 1) % 2][t], &x[(k + 1) * 128 + t]);
        __pipeline_wait_prior(k + 1 < tiles ? 1 : 0);
        __syncthreads();
        y[k * 128 + t] = tile[k % 2][127 - t];
#ifdef CURED
        __syncthreads();
#endif
    }
}
