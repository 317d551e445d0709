// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __noinline__ int fib(int m)
{
    if (m < 2) {
        return m;
    }
    int one = fib(m - 1);
    int two = fib(m - 2);
    int both = one + two;
    return both;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int depth = i % 6;
    int f = fib(depth);
    x[i] = f;
}
