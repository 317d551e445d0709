// SPDX-License-Identifier: GPL-3.0-or-later
//! array a f32 1000 iota
//! array b f32 1000 list:1,-1,2,0.5,-3
//! array partial f32 4
//! array norm f32 3 zero
//! array pts f32 192 random:-1:1
//! array unit f32 192
//! launch dot<<<4,256>>>(a, b, partial, 1000)
//! launch twoNorm<<<1,1>>>(b, norm, 1000)
//! launch maxNorm<<<1,32>>>(a, norm, 1000)
//! launch normalise<<<2,32>>>(pts, unit)
//! expect partial
//! expect norm 2e-7
//! expect unit 1e-6
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <cuda_runtime.h>

#define imin(a, b) ((a) < (b) ? (a) : (b))
const int N = 1000;
const int threadsPerBlock = 256;
const int blocksPerGrid = imin(32, (N + threadsPerBlock - 1) / threadsPerBlock);

__global__ void dot(float *a, float *b, float *c, int n)
{
    __shared__ float cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;
    float temp = 0;
    for (; tid < n; tid += blockDim.x * gridDim.x)
        temp += a[tid] * b[tid];
    cache[cacheIndex] = temp;
    __syncthreads();
    for (int i = blockDim.x / 2; i != 0; i /= 2) {
        if (cacheIndex < i)
            cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
    }
    if (cacheIndex == 0) c[blockIdx.x] = cache[0];
}

__global__ void twoNorm(const float *v, float *norm, int n)
{
    float s = 0.0f;
    for (int i = 0; i < n; i++) s += v[i] * v[i];
    norm[0] = sqrtf(s);
    norm[1] = rsqrtf(s);
}

__global__ void maxNorm(const float *v, float *norm, int n)
{
    float m = 0.0f;
    for (int i = threadIdx.x; i < n; i += 32) m = fmaxf(m, fabsf(v[i] - 600.0f));
    for (int d = 16; d; d >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
    if (threadIdx.x == 0) norm[2] = m;
}

__global__ void normalise(const float *pts, float *unit)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 3;
    float x = pts[i], y = pts[i + 1], z = pts[i + 2];
    float len = sqrtf(x * x + y * y + z * z);
    unit[i] = x / len;
    unit[i + 1] = y / len;
    unit[i + 2] = z / len;
}

int main()
{
    float *a, *c, sum = 0, part[4];
    cudaMalloc(&a, N * sizeof(float));
    cudaMalloc(&c, blocksPerGrid * sizeof(float));
    cudaMemset(a, 0, N * sizeof(float));
    dot<<<blocksPerGrid, threadsPerBlock>>>(a, a, c, N);
    cudaMemcpy(part, c, blocksPerGrid * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocksPerGrid; i++) sum += part[i];
    printf("%.1f\n", sqrt(sum));
}
