// SPDX-License-Identifier: GPL-3.0-or-later
//! array out i32 64
//! array fl f32 64
//! array big i32 3 zero
//! array words u8 40
//! launch twoArrays<<<2,32,384>>>(out, fl, 32)
//! launch large<<<1,256,65536>>>(big, 16384)
//! launch noneAtAll<<<1,40>>>(words)
//! expect out
//! expect fl
//! expect big
//! expect words
// One dynamic array that holds two, and one above 48 KB (main() opts in).
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        exit(code);
    }
}

extern __shared__ unsigned char raw[];

__global__ void twoArrays(int *out, float *fl, int n)
{
    int *a = (int *)raw;                    // n ints, then 2n floats
    float *b = (float *)&a[n];
    int t = threadIdx.x;
    a[t] = t * t;
    b[2 * t] = t * 0.5f;
    b[2 * t + 1] = -t;
    __syncthreads();
    int g = blockIdx.x * n + t;
    out[g] = a[(t + 1) % n] + blockIdx.x;
    fl[g] = b[2 * n - 1 - t];
}

__global__ void large(int *big, int n)
{
    int *s = reinterpret_cast<int *>(raw);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s[i] = i ^ 0x55;
    __syncthreads();
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += s[n - 1 - i] & 0xff;
    atomicAdd(&big[0], sum);
    if (threadIdx.x == 0) {
        big[1] = s[0];
        big[2] = s[n - 1];
    }
}

__global__ void noneAtAll(unsigned char *words)
{
    __shared__ unsigned char c[40];
    c[39 - threadIdx.x] = (unsigned char)(threadIdx.x * 7);
    __syncthreads();
    words[threadIdx.x] = c[threadIdx.x];
}

int main()
{
    int *big;
    gpuErrchk(cudaMalloc(&big, 3 * sizeof(int)));
    gpuErrchk(cudaMemset(big, 0, 3 * sizeof(int)));
    gpuErrchk(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    large<<<1, 256, 65536>>>(big, 16384);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaDeviceSynchronize());
    gpuErrchk(cudaFree(big));
    return 0;
}
