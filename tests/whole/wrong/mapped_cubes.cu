// wrong: missing-sync
// The GPU writes cubes straight into host memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>

#define N 400
#define CHECK(call)                                                      \
    do {                                                                 \
        cudaError_t e = (call);                                          \
        if (e != cudaSuccess) {                                          \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));    \
            exit(1);                                                     \
        }                                                                \
    } while (0)

__global__ void cubes(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        out[i] = i * i * i;  // HERE
    }
}

int main(void)
{
    int *h_out, *d_view;
    CHECK(cudaHostAlloc((void **)&h_out, N * sizeof(int), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer((void **)&d_view, h_out, 0));
    memset(h_out, 0, N * sizeof(int));

    cubes<<<(N + 127) / 128, 128>>>(d_view);
    CHECK(cudaGetLastError());

    for (int i = 1; i < N; i *= 3) {
        printf("%d^3 = %d\n", i, h_out[i]);  // AND HERE
    }

    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFreeHost(h_out));
    return 0;
}
