// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores through addresses whose space isn't known: local ones.
// launch 1 64
__device__ __noinline__ void fill(int *a, int count, int v)
{
#pragma unroll 1
    for (int k = 0; k < count; k++)
        a[k] = v * k;
}

extern "C" __global__ void generic_local(const int *in, int *out, int n)
{
    int a[10], t = threadIdx.x, sum = 0;
    fill(a, 10, in[t]);
#pragma unroll 1
    for (int k = 0; k < 10; k++)
        sum = sum * 3 + a[(k + t) % 10];
    out[t] = sum;
}
