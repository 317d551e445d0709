// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores through addresses whose space isn't known: shared ones.
// launch 1 64
__device__ __noinline__ void swap(int *a, int *b)
{
    int v = *a;
    *a = *b;
    *b = v;
}

extern "C" __global__ void generic_shared(const int *in, int *out, int n)
{
    __shared__ int s[64 * 2];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 64] = in[t + 64];
    __syncthreads();
    swap(&s[t], &s[127 - t]);
    __syncthreads();
    out[t] = s[t];
    out[t + 64] = s[t + 64];
}
