// wrong: error-ignored
// A result that is assigned and never read.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                    \
    do {                                                               \
        cudaError_t e = (call);                                        \
        if (e != cudaSuccess) {                                        \
            printf("%s, line %d\n", cudaGetErrorString(e), __LINE__);  \
            exit(1);                                                   \
        }                                                              \
    } while (0)

__global__ void count_up(int *v) { v[threadIdx.x] = threadIdx.x; }

int main()
{
    int *v = nullptr, *big = nullptr, last;
    cudaError_t e;
    e = cudaMalloc(&big, (size_t)1 << 50);  // HERE
    e = cudaMalloc(&v, 32 * sizeof(int));
    if (e != cudaSuccess)
        return 1;
    cudaGetLastError();
    count_up<<<1, 32>>>(v);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&last, v + 31, sizeof last, cudaMemcpyDeviceToHost));
    printf("last: %d\n", last);
    CHECK(cudaFree(v));
}
