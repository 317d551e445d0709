// Add two vectors on the GPU. Every runtime call goes through a check macro.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                   \
    do {                                                              \
        cudaError_t err_ = (call);                                    \
        if (err_ != cudaSuccess) {                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,        \
                    cudaGetErrorString(err_));                        \
            exit(EXIT_FAILURE);                                       \
        }                                                             \
    } while (0)

__global__ void add(const int *a, const int *b, int *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main(void)
{
    const int n = 1000;
    const size_t bytes = n * sizeof(int);
    int *a = (int *)malloc(bytes);
    int *b = (int *)malloc(bytes);
    int *c = (int *)malloc(bytes);
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 2 * i + 1;
    }

    int *da, *db, *dc;
    CHECK(cudaMalloc((void **)&da, bytes));
    CHECK(cudaMalloc((void **)&db, bytes));
    CHECK(cudaMalloc((void **)&dc, bytes));
    CHECK(cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice));

    int threads = 128;
    int blocks = (n + threads - 1) / threads;
    add<<<blocks, threads>>>(da, db, dc, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost));

    int wrong = 0;
    long sum = 0;
    for (int i = 0; i < n; i++) {
        if (c[i] != a[i] + b[i])
            wrong++;
        sum += c[i];
    }
    printf("blocks: %d\n", blocks);
    printf("first: %d, last: %d\n", c[0], c[n - 1]);
    printf("sum: %ld\n", sum);
    printf("wrong: %d\n", wrong);

    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    free(a);
    free(b);
    free(c);
    return 0;
}
