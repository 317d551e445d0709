// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __noinline__ int cost(int kind, int base)
{
    int c = base;
    switch (kind) {
    case 0:
        c += 1;
    case 1:
        c *= 2;
    case 2: {
        int extra = c & 3;
        c += extra;
        break;
    }
    case 3:
        return c - 100;
    default:
        c = -c;
    }
    int last = c + kind;
    return last;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a = cost(i % 5, i);
    int b = cost(a & 3, a);
    x[i] = a + b;
}
