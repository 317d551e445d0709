// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that finish although something in them is wrong.
#include <cstdio>

__global__ void shared_race(int *out)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = threadIdx.x; // at race, earlier
    out[threadIdx.x] = tile[31 - threadIdx.x]; // at race, later
}

__global__ void global_race(int *out)
{
    out[0] = out[0] + threadIdx.x + blockIdx.x;
}

__global__ void same_value(int *out)
{
    out[0] = 7; // only race:strict minds
}

__global__ void reads(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x] + 1; // at reads
}

__global__ void part_shuffle(int *out)
{
    unsigned mask = 0xffff;
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_sync(mask, (int)threadIdx.x, 20); // at part_shuffle
}

__global__ void prints(int n)
{
    for (int i = 0; i < n; i++)
        printf("0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 %d\n", i);
}

__global__ void uneven_barrier(int *out, int n)
{
    if (threadIdx.x >= n)
        return;
    out[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] += 1;
}
