// wrong: source-changed
// Adds up numbers that come in batches.
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

__global__ void addUp(const int *batch, int n, unsigned long long *total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(total, (unsigned long long)batch[i]);
    }
}

int main()
{
    const int batchSize = 1024;
    const int batches = 6;
    int *staging, *batch;
    unsigned long long *total, result = 0;
    cudaStream_t stream;

    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocHost(&staging, batchSize * sizeof(int)));
    CHECK(cudaMalloc(&batch, batchSize * sizeof(int)));
    CHECK(cudaMalloc(&total, sizeof(*total)));
    CHECK(cudaMemsetAsync(total, 0, sizeof(*total), stream));

    for (int b = 0; b < batches; b++) {
        for (int i = 0; i < batchSize; i++) {
            staging[i] = b * batchSize + i;  // AND HERE
        }
        CHECK(cudaMemcpyAsync(batch, staging, batchSize * sizeof(int), cudaMemcpyHostToDevice, stream));  // HERE
        addUp<<<batchSize / 128, 128, 0, stream>>>(batch, batchSize, total);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaStreamSynchronize(stream));

    CHECK(cudaMemcpy(&result, total, sizeof(result), cudaMemcpyDeviceToHost));
    printf("numbers: %d\ntotal: %llu\n", batches * batchSize, result);

    CHECK(cudaFree(batch));
    CHECK(cudaFree(total));
    CHECK(cudaFreeHost(staging));
    CHECK(cudaStreamDestroy(stream));
    return 0;
}
