// wrong: managed-early
// Host and device count visitors at the same time. The host's addition is not atomic.
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

__global__ void count(int *visitors)
{
    atomicAdd_system(visitors, 1);
}

int main()
{
    int *visitors;
    CHECK(cudaMallocManaged(&visitors, sizeof(int)));
    *visitors = 0;
    count<<<4, 32>>>(visitors);  // OR HERE
    CHECK(cudaGetLastError());
    for (int i = 0; i < 100; i++)
        *visitors += 1;  // HERE
    CHECK(cudaDeviceSynchronize());
    printf("%d visitors\n", *visitors);
    CHECK(cudaFree(visitors));
    return 0;
}
