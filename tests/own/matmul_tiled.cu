// SPDX-License-Identifier: GPL-3.0-or-later
//! array A f32 1024 iota
//! array B f32 1024 list:1,0,-1,0.5,2,0.25,-3,0,1.5
//! array C f32 1024
//! array P i32 190 random:-9:9
//! array Q i32 210 random:-5:7
//! array R i32 399
//! launch tiled<<<(2,2),(16,16)>>>(A, B, C, 32)
//! launch rect<<<(6,3),(4,8)>>>(P, Q, R, 19, 10, 21)
//! expect C
//! expect R
#include <cuda.h>

#define T 16

__global__ void tiled(const float *A, const float *B, float *C, int n)
{
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty;
    int col = blockIdx.x * T + tx;
    float sum = 0.0f;

    for (int m = 0; m < n / T; ++m) {
        As[ty][tx] = A[row * n + m * T + tx];
        Bs[ty][tx] = B[(m * T + ty) * n + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < T; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

// R (rows x cols) = P (rows x inner) times Q (inner x cols), any sizes
__global__ void rect(const int *P, const int *Q, int *R, int rows, int inner, int cols)
{
    __shared__ int p[8][4], q[4][4];
    int y = threadIdx.y, x = threadIdx.x;
    int row = blockIdx.y * 8 + y, col = blockIdx.x * 4 + x, sum = 0;
    for (int base = 0; base < inner; base += 4) {
        p[y][x] = row < rows && base + x < inner ? P[row * inner + base + x] : 0;
        if (y < 4)
            q[y][x] = base + y < inner && col < cols ? Q[(base + y) * cols + col] : 0;
        __syncthreads();
        for (int k = 0; k < 4; k++)
            sum += p[y][k] * q[k][x];
        __syncthreads();
    }
    if (row < rows && col < cols)
        R[row * cols + col] = sum;
}
