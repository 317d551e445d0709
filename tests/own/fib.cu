// SPDX-License-Identifier: GPL-3.0-or-later
//! array f u32 32
//! array g u64 94
//! array gcds i32 64
//! array a i32 64 random:1:1000
//! array b i32 64 iota
//! launch fibRec<<<1,20>>>(f, 20)
//! launch fibRec<<<1,1>>>(f+25, 1)
//! launch fibLoop<<<2,64>>>(g, 94)
//! launch gcdKernel<<<2,32>>>(a, b, gcds)
//! launch evenOdd<<<1,6>>>(f+20)
//! launch evenOdd<<<1,6>>>(f+26)
//! expect f
//! expect g
//! expect gcds
#include <stdio.h>
#include <cuda_runtime.h>

__host__ __device__ unsigned fib(int n)
{
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}

__global__ void fibRec(unsigned *f, int n)
{
    int i = threadIdx.x;
    if (i < n)
        f[i] = fib(i);
}

__global__ void fibLoop(unsigned long long *g, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long a = 0, b = 1;
    for (int k = 0; k < i; k++) {
        unsigned long long t = a + b;
        a = b;
        b = t;
    }
    g[i] = a;
}

__device__ int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }

__global__ void gcdKernel(const int *a, const int *b, int *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    r[i] = gcd(a[i] * 6, b[i] * 4);
}

// two functions that call each other
__device__ bool isOdd(unsigned n);
__device__ __noinline__ bool isEven(unsigned n) { return n == 0 ? true : isOdd(n - 1); }
__device__ __noinline__ bool isOdd(unsigned n) { return n == 0 ? false : isEven(n - 1); }

__global__ void evenOdd(unsigned *r)
{
    r[threadIdx.x] = isEven(threadIdx.x * 5) * 10 + isOdd(threadIdx.x * 5);
}

int main(int argc, char *argv[])
{
    unsigned h[20], *d;
    cudaMalloc((void **)&d, sizeof h);
    fibRec<<<1, 20>>>(d, 20);
    cudaDeviceSynchronize();
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 20; i++)
        printf("%u %s\n", h[i], h[i] == fib(i) ? "ok" : "WRONG");
    cudaFree(d);
    return 0;
}
