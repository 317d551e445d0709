// Host and device count in managed memory at the same time, by atomic operations.
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

enum { BLOCKS = 8, THREADS = 64, TURNS = 10, TOTAL = BLOCKS * THREADS * TURNS };

__global__ void count(int *sum, int *most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int turn = 0; turn < TURNS; turn++) {
        atomicAdd_system(sum, 2);
        atomicMax_system(most, i);
    }
}

int main()
{
    int both, *numbers;
    CHECK(cudaDeviceGetAttribute(&both, cudaDevAttrConcurrentManagedAccess, 0));
    if (!both) {
        printf("this device can't share memory with a running host\n");
        return 2;
    }
    CHECK(cudaMallocManaged(&numbers, 2 * sizeof(int)));
    numbers[0] = numbers[1] = 0;
    count<<<BLOCKS, THREADS>>>(&numbers[0], &numbers[1]);
    CHECK(cudaGetLastError());
    for (int i = 0; i < TOTAL; i++)
        __sync_fetch_and_add(&numbers[0], 1);
    CHECK(cudaDeviceSynchronize());
    printf("%d of %d, last thread %d\n", numbers[0], 3 * TOTAL, numbers[1]);
    CHECK(cudaFree(numbers));
    return 0;
}
