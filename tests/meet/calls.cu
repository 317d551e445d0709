// SPDX-License-Identifier: GPL-3.0-or-later
// Odd and even lanes call one function from two places, and meet in it.
#define ALL 0xffffffffu
__device__ __noinline__ unsigned ballot(int x)
{
    return __ballot_sync(ALL, x > 3);
}
__device__ __noinline__ int from_neighbour(int x)
{
    return __shfl_xor_sync(ALL, x, 1);
}
__device__ __noinline__ int twice(int x, int depth)
{
    return depth ? twice(x + 1, depth - 1) : from_neighbour(x);
}
__global__ void votes(int *o)
{
    int lane = threadIdx.x;
    if (lane & 1)
        o[lane] = (int)ballot(lane) ^ 1;
    else
        o[lane] = (int)ballot(lane * 2) ^ 2;
}
__global__ void shuffles(int *o)
{
    int lane = threadIdx.x;
    if (lane & 1)
        o[lane] = from_neighbour(lane) + 1000;
    else
        o[lane] = from_neighbour(lane * 2) + 2000;
}
__global__ void deep(int *o)
{
    int lane = threadIdx.x;
    if (lane & 1)
        o[lane] = twice(lane, 2) + 1000;
    else if (lane & 2)
        o[lane] = twice(lane * 2, 2) + 2000;
    else
        o[lane] = twice(lane * 3, 2) + 3000;
}
