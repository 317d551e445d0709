// SPDX-License-Identifier: GPL-3.0-or-later
//! variable weights f32 5 list:0.5,-1,2,-1,0.5
//! variable shift i32 4
//! variable counter u32 1
//! variable history i32 16
//! variable scale f64 1 value:0.25
//! variable primes u16 8 list:2,3,5,7,11,13,17,19
//! array x f32 64 iota
//! array y f32 60
//! array r i32 64
//! fill shift list:10,-20,30,-40
//! launch convolve<<<2,32>>>(x, y, 60)
//! launch mixed<<<4,16>>>(r)
//! launch remember<<<1,16>>>(5)
//! launch remember<<<1,16>>>(-2)
//! launch readBack<<<1,16>>>(history, r)
//! expect y
//! expect r
//! expect counter
//! expect history
//! expect shift
//! expect primes
#include <stdio.h>
#include <cuda_runtime.h>

#define W 5
__constant__ float weights[W] = {0.5f, -1.0f, 2.0f, -1.0f, 0.5f};
__constant__ int shift[4];                  // filled by cudaMemcpyToSymbol
__constant__ unsigned short primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
__device__ unsigned int counter;
__device__ int history[16];
__device__ double scale = 0.25;

__global__ void convolve(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = 0;
        for (int k = 0; k < W; k++)
            s += weights[k] * (x[i + k] * x[i + k]);
        y[i] = s;
    }
}

__global__ void mixed(int *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int s = shift[blockIdx.x];              // one address for the block
    s += primes[threadIdx.x & 7];           // eight addresses in a warp
    r[i] = s + (int)(scale * i);
    atomicAdd(&counter, 1);
}

__global__ void remember(int value)
{
    history[threadIdx.x] = history[threadIdx.x] * 10 + value * (int)threadIdx.x;
    if (threadIdx.x == 0)
        counter += 1000;
}

// a variable of the module as an argument
__global__ void readBack(const int *h, int *r)
{
    r[threadIdx.x] += h[15 - threadIdx.x];
}

int main(void)
{
    int h_shift[4] = {10, -20, 30, -40};
    int *d_r;
    unsigned int n;
    cudaMalloc((void **)&d_r, 64 * sizeof(int));
    cudaMemcpyToSymbol(shift, h_shift, sizeof(h_shift));
    mixed<<<4, 16>>>(d_r);
    cudaMemcpyFromSymbol(&n, counter, sizeof(n));
    printf("%u threads\n", n);
    cudaFree(d_r);
    return 0;
}
