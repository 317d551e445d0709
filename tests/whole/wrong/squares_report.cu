// wrong: managed-early
// Squares of the first numbers, and their sum.
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

__global__ void square(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = a[i] * a[i];  // HERE
    }
}

int main()
{
    const int n = 500;
    int *a;
    CHECK(cudaMallocManaged(&a, n * sizeof(int)));
    for (int i = 0; i < n; i++) {
        a[i] = i + 1;
    }

    square<<<(n + 127) / 128, 128>>>(a, n);
    CHECK(cudaGetLastError());

    long long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];  // AND HERE
    }
    CHECK(cudaDeviceSynchronize());
    printf("sum of %d squares: %lld\n", n, sum);

    CHECK(cudaFree(a));
    return 0;
}
