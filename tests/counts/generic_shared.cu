// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores through addresses whose space isn't known: shared ones.
// launch 1 64
/* The compiler forgets where p points. */
__device__ int *hidden(int *p)
{
    asm volatile("" : "+l"(p));
    return p;
}

extern "C" __global__ void generic_shared(const int *in, int *out, int n)
{
    __shared__ int s[64 * 2];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 64] = in[t + 64];
    __syncthreads();
    int *a = hidden(&s[t]), *b = hidden(&s[127 - t]);
    int v = *a;
    *a = *b;
    *b = v;
    __syncthreads();
    out[t] = s[t];
    out[t + 64] = s[t + 64];
}
