// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __forceinline__ int sum_to(int count)
{
    int sum = 0;
    for (int a = 0; a < count; a++) {
        int square = a * a;
        sum += square;
    }
    return sum;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int all = 0;
    for (int j = 0; j < 3; j++) {
        int part = sum_to(j + (i & 1));
        all += part;
    }
    x[i] = all;
}
