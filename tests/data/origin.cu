// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses that leave their array, and right ones that look alike: tests/origin.t.
#include <stdlib.h>
#define N 32

struct point { float x, y, z; };
__device__ int x[1024], y[1024];
__device__ float4 quads[8];
__device__ float grid[4][8];
__device__ int *kept;

__global__ void wild(int *a, int k) { if (!threadIdx.x) a[k] = 7; }
__global__ void add(int *a, int k) { if (!threadIdx.x) atomicAdd(a + k, 7); }
__global__ void module(int k) { if (!threadIdx.x) { x[k] = 7; y[0] = 1; } }
__global__ void rows(int k) { grid[k][2] = 3; }
__global__ void lanes(int k) { quads[k].y = 1; }
__global__ void wide(float *a, int k) { ((float4 *)a)[k] = make_float4(1, 2, 3, 4); }
__global__ void pair(float *a, int k) { *(float2 *)(a + k) = make_float2(1, 2); }

__global__ void fixed(int *o, int k, int j)
{
    __shared__ int a[32], b[32];
    b[threadIdx.x] = a[threadIdx.x] = 1;
    __syncthreads();
    if (!threadIdx.x)
        a[k] = 7, b[j] = 5;
    __syncthreads();
    o[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

__device__ __noinline__ void put(int *p, int k) { p[k] = 7; }
__global__ void called(int *o, int k)
{
    __shared__ int a[32], b[32];
    b[threadIdx.x] = a[threadIdx.x] = 1;
    __syncthreads();
    if (!threadIdx.x)
        put(a, k), put(o, 0);
    __syncthreads();
    o[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

__global__ void from_memory(int *a, int k)
{
    kept = a;
    __threadfence();
    *(volatile int *)(kept + k) = 1;
}

__global__ void square(int *o, int k)
{
    __shared__ int as[7][7];
    int t = threadIdx.x;
    if (t < 49)
        as[t / 7][t % 7] = t;
    __syncthreads();
    if (!t)
        as[k][0] = 1;
    __syncthreads();
    o[t] = as[t % 7][0];
}

__global__ void racing(float *o)
{
    __shared__ float tile[N][N + 1];
    int t = threadIdx.x;
    for (int i = 0; i < N; i++)
        tile[i][t] = 0;
    __syncthreads();
    tile[1][0] = t;
    o[t] = tile[t][0];
}

__global__ void unwritten(float *o)
{
    __shared__ float tile[N][N + 1];
    int t = threadIdx.x;
    if (t != 1)
        tile[t][t] = t;
    __syncthreads();
    o[t] = tile[t][t];
}

__global__ void dynamic(float *o, int k)
{
    __shared__ float before[8];
    extern __shared__ float s[];
    before[threadIdx.x % 8] = 0;
    s[threadIdx.x] = 1;
    __syncthreads();
    if (!threadIdx.x)
        s[k] = 2;
    __syncthreads();
    o[threadIdx.x] = s[threadIdx.x] + before[threadIdx.x % 8];
}

__global__ void structs(float *o, int k)
{
    __shared__ point p[32];
    p[threadIdx.x].y = 1;
    __syncthreads();
    if (!threadIdx.x)
        p[k].y = 2;
    __syncthreads();
    o[threadIdx.x] = p[threadIdx.x].y;
}

__global__ void pieces(int k)
{
    int *a = (int *)malloc(64), *b = (int *)malloc(64);
    b[0] = 2;
    a[1] = 3;
    a[k] = 1;
    x[0] = a[1] + b[0];
    free(a);
    free(b);
}

// Right: pointers that leave their array and come back, or that are only compared.
__global__ void ends(int *o, const int *in, int n)
{
    __shared__ int a[33], b[33];
    int *p = a, *q = b, t = threadIdx.x;
    const int *end = in + n, *one = in + 1;
    int sum = 0;
    for (const int *i = in + t; i < end; i += 32)
        sum += i[0] + one[-1];
    p[t] = sum;
    __syncthreads();
    for (int turn = 0; turn < 3; turn++) {
        q[t] = p[31 - t] + (int)(end - in);
        __syncthreads();
        int *other = p;
        p = q;
        q = other;
    }
    o[t] = (t & 1 ? p : q)[t];
}

__device__ __noinline__ int deep(int j)
{
    int a[64];
    for (int i = 0; i < 64; i++)
        a[i] = i + j;
    return a[j & 63];
}
__device__ __noinline__ void own(int *o, int k, int j)
{
    int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = i + j;
    a[k] = 7;
    o[0] = a[j];
}
__global__ void frames(int *o, int k)
{
    own(o, k, 2);
    o[1] = deep(k);
}
