// SPDX-License-Identifier: GPL-3.0-or-later
// What main.cu uses, and kernels of its own. Some names are as in main.cu.
#include "sums.cuh"
#include <cstdio>

__device__ int calls;
__constant__ int table[4] = {100, 200, 300, 400};
static __device__ int own = 10;
static __device__ __noinline__ int helper(int x)
{
    return x * own;
}
__device__ int twice(int x)
{
    return helper(x) / 5;
}
__device__ float length2(point p)
{
    return p.x * p.x + p.y * p.y;
}

__global__ void other_says()
{
    printf("other %d %d\n", helper(4), three_times(2));
}
__global__ void other_shared(float *o)
{
    extern __shared__ float t[];
    t[threadIdx.x] = o[threadIdx.x] + 1;
    __syncthreads();
    o[threadIdx.x] = t[threadIdx.x ^ 1];
}
