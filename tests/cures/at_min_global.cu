// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array cost i32 512 iota; array lowest i32 1 value:1000000; launch cheapest<<<4, 128>>>(cost, lowest, 512)
//@ kind race-global
//@ cure atomic
// distance of the nearest number to 300
__device__ int cost_of(int c)
{
    int d = c - 300;
    return d < 0 ? -d : d;
}

__global__ void cheapest(const int *cost, int *lowest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int c = cost_of(cost[i]);
#ifdef CURED
    atomicMin(lowest, c);
#else
    lowest[0] = min(lowest[0], c);
#endif
}
