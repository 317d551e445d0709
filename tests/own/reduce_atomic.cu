// SPDX-License-Identifier: GPL-3.0-or-later
//! variable total i32 1
//! variable fsum f32 1
//! array data i32 5000 random:-50:50
//! array x f32 5000 iota
//! array big u64 1 zero
//! launch sumAll<<<20,256>>>(data, 5000)
//! launch fsumAll<<<8,128>>>(x, 1500)
//! launch sum64<<<16,64>>>(data, big, 5000)
//! expect total
//! expect fsum
//! expect big
#include <stdio.h>
#include <cuda_runtime.h>

__device__ int total;
__device__ float fsum = 0.0f;

__global__ void sumAll(const int *data, int n)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < n)
        atomicAdd(&total, data[tid]);
}

// whole numbers below 2^24: the order can't matter
__global__ void fsumAll(const float *x, int n)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = 0;
    while (tid < n) {
        mine += x[tid];
        tid += gridDim.x * blockDim.x;
    }
    atomicAdd(&fsum, mine);
}

__global__ void sum64(const int *data, unsigned long long *big, int n)
{
    __shared__ unsigned long long part;
    if (threadIdx.x == 0)
        part = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&part, (unsigned long long)(data[i] + 50) << 32);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(big, part);
}

int main()
{
    int h[5000], *d, sum = 0;
    for (int i = 0; i < 5000; i++)
        h[i] = i % 7 - 3;
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    sumAll<<<20, 256>>>(d, 5000);
    cudaMemcpyFromSymbol(&sum, total, sizeof(int));
    printf("sum = %d\n", sum);
    cudaFree(d);
    return 0;
}
