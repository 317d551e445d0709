// wrong: read-before-copy
// A checksum over values that the GPU made.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>

#define N 2048
#define CHECK(call)                                                  \
    do {                                                             \
        cudaError_t err_ = (call);                                   \
        if (err_ != cudaSuccess) {                                   \
            fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__,        \
                    cudaGetErrorString(err_));                       \
            exit(1);                                                 \
        }                                                            \
    } while (0)

__global__ void make_values(unsigned *v, unsigned seed)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        v[i] = (i ^ seed) * 2654435761u;
    }
}

int main(void)
{
    unsigned *d_v, *h_v;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc((void **)&d_v, N * sizeof(unsigned)));
    CHECK(cudaMallocHost((void **)&h_v, N * sizeof(unsigned)));
    memset(h_v, 0, N * sizeof(unsigned));

    make_values<<<N / 256, 256, 0, stream>>>(d_v, 77u);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(h_v, d_v, N * sizeof(unsigned), cudaMemcpyDeviceToHost, stream));  // HERE

    unsigned sum = 0;
    for (int i = 0; i < N; i++) {
        sum = sum * 31u + h_v[i];  // AND HERE
    }
    CHECK(cudaStreamSynchronize(stream));
    printf("checksum: %08x\n", sum);

    CHECK(cudaFreeHost(h_v));
    CHECK(cudaFree(d_v));
    CHECK(cudaStreamDestroy(stream));
    return 0;
}
