// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __forceinline__ int clamp(int v, int low, int high)
{
    if (v < low) {
        int less = low - v;
        return low + (less & 1);
    }
    if (v > high) {
        int more = v - high;
        return high - (more & 1);
    }
    return v;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a = clamp(i, 5, 30);
    int b = clamp(a * 2, 20, 40);
    x[i] = a + b;
}
