// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __forceinline__ int add(int a, int b)
{
    int s = a + b;
    int t = s * 2;
    return t;
}
static __device__ __forceinline__ int twice(int a)
{
    int e = a ^ 1;
    int f = add(a, e);
    int g = add(f, a);
    return g;
}
static __device__ __forceinline__ int four(int a)
{
    int o = a + 2;
    int p = twice(o);
    int q = twice(p);
    return q;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int r = four(i);
    int s = four(r & 15);
    x[i] = r + s;
}
