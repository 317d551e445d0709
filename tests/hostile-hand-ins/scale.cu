#include "limits.h"
__global__ void scale(int n, float f, float *x)
{
    extern __shared__ float s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n && n < INT_MAX ? x[i] : 0;
    if (i < n)
        x[i] = f * s[threadIdx.x];
}
