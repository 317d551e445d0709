// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __forceinline__ int square(int v)
{
    int w = v * v;
    int u = w + 1;
    return u;
}
static __device__ __forceinline__ float mixed(float a, int b)
{
    float c = a * b;
    int d = square(b);
    c += d;
    return c;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    int a = square(i);
    int b = square(a & 7);
    float f = mixed(1.5f, b);
    for (int j = 0; j < 3; j++) {
        int c = square(j);
        a += c;
    }
    x[i] = a + b + (int)f;
}
