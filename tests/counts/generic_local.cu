// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores through addresses whose space isn't known: local ones.
// launch 1 64
/* The compiler forgets where p points. */
__device__ int *hidden(int *p)
{
    asm volatile("" : "+l"(p));
    return p;
}

extern "C" __global__ void generic_local(const int *in, int *out, int n)
{
    int a[10], t = threadIdx.x, sum = 0;
    int *p = hidden(a);
#pragma unroll 1
    for (int k = 0; k < 10; k++)
        p[k] = in[t] * k;
#pragma unroll 1
    for (int k = 0; k < 10; k++)
        sum = sum * 3 + a[(k + t) % 10];
    out[t] = sum;
}
