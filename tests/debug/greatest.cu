// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __noinline__ unsigned gcd(unsigned a, unsigned b)
{
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    unsigned g = gcd(360u, i + 1u);
    unsigned h = gcd(g, 24u);
    g = g * h;
    x[i] = g;
}
