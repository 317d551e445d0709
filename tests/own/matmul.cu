// SPDX-License-Identifier: GPL-3.0-or-later
//! array A f32 2304 random:0:1
//! array B f32 2304 iota
//! array C f32 2304
//! launch round8<<<9,256>>>(A, 2304)
//! launch matMul<<<(3,3),(16,16)>>>(A, B, C, 48)
//! expect A
//! expect C
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                         \
    do {                                                                    \
        cudaError_t err = (call);                                           \
        if (err != cudaSuccess) {                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,              \
                    cudaGetErrorString(err));                               \
            exit(EXIT_FAILURE);                                             \
        }                                                                   \
    } while (0)

// eighths have few bits: then every sum below is exact
__global__ void round8(float *m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        m[i] = (float)(int)(m[i] * 8.0f) / 8.0f;
}

__global__ void matMul(float *A, float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row < N && col < N) {
        for (int k = 0; k < N; k++) {
            sum += A[row * N + k] * B[k * N + col];
        }
        C[row * N + col] = sum;
    }
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 48;
    size_t bytes = N * N * sizeof(float);
    float *hA = (float *)malloc(bytes), *dA, *dB, *dC;
    for (int i = 0; i < N * N; i++)
        hA[i] = (float)rand() / RAND_MAX;
    CHECK(cudaMalloc(&dA, bytes));
    CHECK(cudaMalloc(&dB, bytes));
    CHECK(cudaMalloc(&dC, bytes));
    CHECK(cudaMemcpy(dA, hA, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dB, 0, bytes));
    dim3 block(16, 16);
    dim3 grid((N + 15) / 16, (N + 15) / 16);
    matMul<<<grid, block>>>(dA, dB, dC, N);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(hA, dC, bytes, cudaMemcpyDeviceToHost));
    printf("%f\n", hA[0]);
    CHECK(cudaFree(dA));
    CHECK(cudaFree(dB));
    CHECK(cudaFree(dC));
    free(hA);
    return 0;
}
