// wrong: error-ignored
// A chess board in pitched memory.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define W 24
#define H 10

#define CHECK(call)                                                  \
    do {                                                             \
        cudaError_t err_ = (call);                                   \
        if (err_ != cudaSuccess) {                                   \
            fprintf(stderr, "line %d: %s\n", __LINE__,               \
                    cudaGetErrorString(err_));                       \
            exit(1);                                                 \
        }                                                            \
    } while (0)

__global__ void board(char *base, size_t pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H) {
        int *row = (int *)(base + y * pitch);
        row[x] = (x + y) % 2;
    }
}

int main(void)
{
    static int h[H][W];
    char *d;
    size_t pitch;
    CHECK(cudaMallocPitch((void **)&d, &pitch, W * sizeof(int), H));

    dim3 block(8, 8);
    dim3 grid((W + 7) / 8, (H + 7) / 8);
    board<<<grid, block>>>(d, pitch);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    cudaMemcpy2D(h, W, d, pitch, W * sizeof(int), H, cudaMemcpyDeviceToHost);  // HERE

    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            putchar(h[y][x] ? '#' : '.');
        }
        putchar('\n');
    }
    CHECK(cudaFree(d));
    return 0;
}
