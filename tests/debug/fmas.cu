// SPDX-License-Identifier: GPL-3.0-or-later
static __device__ __forceinline__ float horner(float v)
{
    float r = 0.25f;
    r = r * v + 0.5f;
    r = r * v + 1.0f;
    r = r * v + 2.0f;
    return r;
}
__global__ void k(int *x, int n)
{
    int i = blockIdx.x * 40 + threadIdx.x;
    float a = horner(i * 0.1f);
    float b = horner(a);
    float c = a > b ? horner(a - b) : horner(b - a);
    x[i] = (int)(a + b + c);
}
