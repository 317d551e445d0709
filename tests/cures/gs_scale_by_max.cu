// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array data i32 768 iota; array top i32 6 zero; array out i32 768 zero; launch scaleAll<<<6, 128>>>(data, top, out)
//@ kind race-global
//@ cure grid-sync
//@ place between
#ifdef CURED
#include <cooperative_groups.h>
#endif
// step 1: the greatest of each block; step 2: everyone takes the greatest of all
__global__ void scaleAll(const int *data, int *top, int *out)
{
    __shared__ int m;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        m = 0;
    __syncthreads();
    atomicMax(&m, data[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        top[blockIdx.x] = m;
#ifdef CURED
    cooperative_groups::grid_group g = cooperative_groups::this_grid();
    g.sync();
#else
    __threadfence();
    __syncthreads();
#endif
    int all = 1;
    for (unsigned int b = 0; b < gridDim.x; b++)
        all = max(all, top[b]);
    out[i] = data[i] * 1000 / all;
}
