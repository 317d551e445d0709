// Two kernels in two streams count into the same numbers by atomic operations.
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

__global__ void count(unsigned *bins, unsigned n, unsigned step)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[i * step % 4], 1u);
}

int main()
{
    unsigned *bins, out[4];
    cudaStream_t s[2];
    CHECK(cudaMalloc(&bins, sizeof out));
    CHECK(cudaMemset(bins, 0, sizeof out));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 2; i++) {
        CHECK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
        count<<<4, 128, 0, s[i]>>>(bins, 400, 1 + 2 * i);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(out, bins, sizeof out, cudaMemcpyDeviceToHost));
    printf("%u %u %u %u\n", out[0], out[1], out[2], out[3]);
    for (int i = 0; i < 2; i++)
        CHECK(cudaStreamDestroy(s[i]));
    CHECK(cudaFree(bins));
}
