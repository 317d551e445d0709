// SPDX-License-Identifier: GPL-3.0-or-later
struct Big {
    double a[4];
    int b[6];
    long long c;
    long long d;
};
static __device__ __noinline__ double use(Big g, int at)
{
    double v = g.a[at & 3];
    int w = g.b[at % 6];
    g.c += w;
    return v + g.c;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    Big g = {{1.5, 2.5, 3.5, 4.5}, {1, 2, 3, 4, 5, 6}, 7, 8};
    g.d = i;
    double r = use(g, i);
    g.a[0] = r;
    x[i] = (int)(g.a[0] + g.d);
}
