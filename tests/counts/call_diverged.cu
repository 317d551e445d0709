// SPDX-License-Identifier: GPL-3.0-or-later
// A function called by some lanes only.
// launch 2 64
__device__ __noinline__ int sum_of(const int *at, int count)
{
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < count; k++)
        sum += at[k * 4];
    return sum;
}

extern "C" __global__ void call_diverged(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (in[i] & 1)
        out[i] = sum_of(in + i, in[i] & 7);
    out[i + 256] = 1;
}
