// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores through addresses whose space isn't known: global ones.
// launch 2 64
/* The compiler forgets where p points. */
__device__ int *hidden(int *p)
{
    asm volatile("" : "+l"(p));
    return p;
}

extern "C" __global__ void generic_global(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = in[i];
    out[i + 1024] = in[i + 1];
    int *a = hidden(&out[i]), *b = hidden(&out[i + 1024]);
    int v = *a;
    *a = *b;
    *b = v;
}
