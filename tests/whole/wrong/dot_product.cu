// wrong: wrong-direction
// Dot product with one partial sum per block.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define THREADS 128
#define CHECK(call)                                                      \
    do {                                                                 \
        cudaError_t e = (call);                                          \
        if (e != cudaSuccess) {                                          \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));    \
            exit(1);                                                     \
        }                                                                \
    } while (0)

__global__ void dot(const int *a, const int *b, int *partial, int n)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    int i = blockIdx.x * THREADS + t;
    s[t] = i < n ? a[i] * b[i] : 0;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (t < step) {
            s[t] += s[t + step];
        }
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
    }
}

int main(void)
{
    const int n = 1000;
    const int blocks = (n + THREADS - 1) / THREADS;
    const size_t bytes = n * sizeof(int);
    int *a = (int *)malloc(bytes);
    int *b = (int *)malloc(bytes);
    int *partial = (int *)calloc(blocks, sizeof(int));
    if (!a || !b || !partial) return 1;
    for (int i = 0; i < n; i++) {
        a[i] = i % 5;
        b[i] = i % 3;
    }

    int *d_a, *d_b, *d_partial;
    CHECK(cudaMalloc((void **)&d_a, bytes));
    CHECK(cudaMalloc((void **)&d_b, bytes));
    CHECK(cudaMalloc((void **)&d_partial, blocks * sizeof(int)));
    CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyDeviceToHost));  // HERE

    dot<<<blocks, THREADS>>>(d_a, d_b, d_partial, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(partial, d_partial, blocks * sizeof(int), cudaMemcpyDeviceToHost));

    int sum = 0;
    for (int k = 0; k < blocks; k++) {
        sum += partial[k];
    }
    printf("dot product: %d\n", sum);

    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_partial));
    free(a);
    free(b);
    free(partial);
    return 0;
}
