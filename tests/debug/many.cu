// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __noinline__ double many(char a, short b, int c, long long d, float e, double f, bool g)
{
    int sum = a + b + c;
    double real = e + f;
    long long big = d + sum;
    if (g) {
        real += big;
    }
    return real;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    double r = many((char)i, (short)-i, i * 3, 1LL << 35, 0.5f, 2.25, i & 1);
    double s = many('x', 300, -1, -2, r, r, true);
    x[i] = (int)(r * 0.001) + (int)(s * 0.0001);
}
