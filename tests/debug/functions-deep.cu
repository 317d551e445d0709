// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __noinline__ int third(int v)
{
    int w = v * 3;
    w ^= 5;
    return w;
}
static __device__ __noinline__ int second(int v, int w)
{
    int a = third(v);
    int b = third(w);
    int c = a - b;
    return c;
}
static __device__ __noinline__ int first(int v)
{
    int local = v + 1;
    int r = second(local, v);
    local += r;
    return local;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int r = first(i);
    int s = first(r);
    x[i] = r + s;
}
