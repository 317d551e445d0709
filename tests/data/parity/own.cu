#include <stdio.h>
__constant__ float factor = 2.5f;
__device__ int table[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};

extern "C" __global__ void scale(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= factor;
    if (i == 1)
        printf("%d of %d: %g %5.2f|%-4d|%s\n", i, n, x[i], x[i], table[1][2], "end");
}

extern "C" __global__ void shift(int *x)
{
    __shared__ int s[64];
    s[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = s[(threadIdx.x + 63) % 64];
}

extern "C" __global__ void beyond(int *x, int n)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = n;
}

extern "C" __global__ void unset(const int *x, int *out)
{
    out[threadIdx.x] = x[threadIdx.x] + 1;
}

extern "C" __global__ void parted(int *x)
{
    if (threadIdx.x < 16)
        __syncthreads();
    x[threadIdx.x] = 1;
    __syncthreads();
}

extern "C" __global__ void endless(volatile int *x)
{
    while (!x[0])
        ;
}

extern "C" __global__ void functions(double *d, float *f, int n)
{
    int i = threadIdx.x;
    double a = d[i];
    d[i] = sqrt(a) + a / 3 + fma(a, a, 1e-30);
    f[i] = __fsqrt_rn(f[i]) + __fdividef(1.0f, f[i]) + __sinf(f[i]) + __expf(-f[i]) + fmaf(f[i], f[i], 1e-20f);
    atomicAdd(&f[n], f[i]);
}
