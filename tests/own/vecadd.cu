// SPDX-License-Identifier: GPL-3.0-or-later
//! array a i32 1000 iota
//! array b i32 1000 random
//! array c i32 1000
//! launch vecAdd<<<4,256>>>(a, b, c, 1000)
//! expect c
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define N 1000

__global__ void vecAdd(int *a, int *b, int *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main(void)
{
    int *a, *b, *c;
    int *d_a, *d_b, *d_c;
    int size = N * sizeof(int);

    a = (int *)malloc(size);
    b = (int *)malloc(size);
    c = (int *)malloc(size);
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = rand() % 100;
    }

    cudaMalloc((void **)&d_a, size);
    cudaMalloc((void **)&d_b, size);
    cudaMalloc((void **)&d_c, size);
    cudaMemcpy(d_a, a, size, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, size, cudaMemcpyHostToDevice);

    vecAdd<<<(N + 255) / 256, 256>>>(d_a, d_b, d_c, N);

    cudaMemcpy(c, d_c, size, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        if (c[i] != a[i] + b[i])
            printf("wrong at %d\n", i);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    free(a);
    free(b);
    free(c);
    return 0;
}
