// SPDX-License-Identifier: GPL-3.0-or-later
struct Pair {
    int first;
    int second;
};
static __device__ __noinline__ Pair ordered(int a, int b)
{
    Pair p;
    p.first = a < b ? a : b;
    p.second = a < b ? b : a; // set: p
    return p;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    Pair p = ordered(i, 20);
    Pair q = ordered(p.second, 7);
    int gap = q.second - q.first;
    x[i] = gap + p.first;
}
