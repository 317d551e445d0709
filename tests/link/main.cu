// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that use what the other file defines.
#include "sums.cuh"
#include <cstdio>

static __device__ int own = 1;
static __device__ __noinline__ int helper(int x)
{
    return x + own;
}
__device__ int *where = &calls;

__global__ void sums(int *o)
{
    int i = threadIdx.x;
    o[i] = twice(helper(i)) + table[i % 4] + three_times(i);
    atomicAdd(where, 1);
}
__global__ void lengths(float *o)
{
    point p = {(float)threadIdx.x, 2.0f};
    o[threadIdx.x] = length2(p);
}
__global__ void says()
{
    printf("main %d\n", helper(4));
}
__global__ void reverse_shared(int *o)
{
    extern __shared__ int s[];
    s[threadIdx.x] = o[threadIdx.x];
    __syncthreads();
    o[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
