// wrong: error-ignored
// A table of distances between stops on a ring road.
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

__global__ void fillRow(float *table, size_t stops, size_t row)
{
    size_t col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col < 256) {
        size_t gap = col > row ? col - row : row - col;
        table[row * stops + col] = (float)(gap < stops - gap ? gap : stops - gap);  // OR HERE
    }
}

int main()
{
    size_t stops = 8000000;
    size_t row = 10;
    float *table = NULL;
    cudaMalloc(&table, stops * stops * sizeof(float));  // HERE

    void *args[] = {&table, &stops, &row};
    CHECK(cudaLaunchKernel((const void *)fillRow, dim3(2), dim3(128), args, 0, 0));
    CHECK(cudaDeviceSynchronize());

    float h[256];
    CHECK(cudaMemcpy(h, table + row * stops, sizeof(h), cudaMemcpyDeviceToHost));
    printf("from 10 to 0:   %.0f\n", h[0]);
    printf("from 10 to 200: %.0f\n", h[200]);

    CHECK(cudaFree(table));
    return 0;
}
