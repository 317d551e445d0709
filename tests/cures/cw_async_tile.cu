// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 1024 random; array y f32 1024 zero; launch backwards<<<4, 256>>>(x, y)
//@ kind race-shared
//@ cure copy-wait
//@ place between
//@ arch 80
#include <cuda_pipeline.h>

// like the tile example, but the copy does not go through registers
__global__ void backwards(const float *x, float *y)
{
    __shared__ float tile[256];
    int t = threadIdx.x;
    int base = blockIdx.x * 256;

    __pipeline_memcpy_async(&tile[t], &x[base + t], sizeof(float));
    __pipeline_commit();
#ifdef CURED
    __pipeline_wait_prior(0);
#endif
    __syncthreads();
    y[base + t] = tile[255 - t];
}
