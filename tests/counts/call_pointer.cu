// SPDX-License-Identifier: GPL-3.0-or-later
// Functions by their addresses from a table, chosen by the lane.
// launch 1 64
__device__ __noinline__ int plus(int v)
{
    return v + 3;
}

__device__ __noinline__ int times(int v)
{
    return v * 3;
}

__device__ int (*const functions[2])(int) = {plus, times};

extern "C" __global__ void call_pointer(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    out[t] = functions[in[t] & 1](in[t]) + functions[n & 1](t);
}
