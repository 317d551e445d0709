// wrong: device-deref
// Counts the even numbers.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                      \
    do {                                                                 \
        cudaError_t e = (call);                                          \
        if (e != cudaSuccess) {                                          \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));    \
            exit(1);                                                     \
        }                                                                \
    } while (0)

__global__ void countEven(const int *v, int n, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && v[i] % 2 == 0) {
        atomicAdd(count, 1);
    }
}

int main()
{
    const int n = 256;
    int h[n];
    for (int i = 0; i < n; i++) {
        h[i] = i * i + i / 3;
    }

    int *v, *count;
    CHECK(cudaMalloc(&v, sizeof(h)));
    CHECK(cudaMalloc(&count, sizeof(int)));
    CHECK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(count, 0, sizeof(int)));

    countEven<<<n / 64, 64>>>(v, n, count);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    printf("even numbers: %d of %d\n", *count, n);  // HERE

    CHECK(cudaFree(v));
    CHECK(cudaFree(count));
    return 0;
}
