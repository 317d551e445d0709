// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores through addresses whose space isn't known: global ones.
// launch 2 64
__device__ __noinline__ void swap(int *a, int *b)
{
    int v = *a;
    *a = *b;
    *b = v;
}

extern "C" __global__ void generic_global(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = in[i];
    out[i + 1024] = in[i + 1];
    swap(&out[i], &out[i + 1024]);
}
