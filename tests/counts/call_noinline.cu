// SPDX-License-Identifier: GPL-3.0-or-later
// A function that isn't put in place, with loads of its own.
// launch 2 64
__device__ __noinline__ int twice(const int *at, int k)
{
    return at[0] * 2 + at[k];
}

extern "C" __global__ void call_noinline(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = twice(in + i, 3) + twice(in + 2 * i, 5);
}
