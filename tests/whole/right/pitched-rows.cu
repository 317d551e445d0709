// Rows with a pitch: cudaMallocPitch, cudaMemcpy2D and cudaMemset2D.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        std::fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(e));
        std::exit(1);
    }
}

__global__ void row_sums(const char *base, size_t pitch, int w, int h, int *sums)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= h)
        return;
    const int *row = reinterpret_cast<const int *>(base + y * pitch);
    int sum = 0;
    for (int x = 0; x < w; ++x)
        sum += row[x];
    sums[y] = sum;
}

__global__ void double_items(char *base, size_t pitch, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        int *row = reinterpret_cast<int *>(base + y * pitch);
        row[x] *= 2;
    }
}

int main()
{
    const int W = 45, H = 18;
    const size_t row_bytes = W * sizeof(int);
    static int host[H][W], back[H][W];
    int sums[H];
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x)
            host[y][x] = y * 10 + x % 10;

    char *dev;
    int *dsums;
    size_t pitch;
    check(cudaMallocPitch(&dev, &pitch, row_bytes, H), "cudaMallocPitch");
    check(cudaMalloc(&dsums, sizeof sums), "cudaMalloc");
    check(cudaMemcpy2D(dev, pitch, host, row_bytes, row_bytes, H,
                       cudaMemcpyHostToDevice), "copy in");

    double_items<<<dim3(3, 3), dim3(16, 8)>>>(dev, pitch, W, H);
    // Clear the first five items of rows 4, 5 and 6.
    check(cudaMemset2D(dev + 4 * pitch, pitch, 0, 5 * sizeof(int), 3), "cudaMemset2D");
    row_sums<<<1, 32>>>(dev, pitch, W, H, dsums);
    check(cudaGetLastError(), "launch");

    check(cudaMemcpy2D(back, row_bytes, dev, pitch, row_bytes, H,
                       cudaMemcpyDeviceToHost), "copy out");
    check(cudaMemcpy(sums, dsums, sizeof sums, cudaMemcpyDeviceToHost), "copy sums");

    std::printf("pitch is enough: %s\n", pitch >= row_bytes ? "yes" : "no");
    std::printf("row 5 starts with");
    for (int x = 0; x < 8; ++x)
        std::printf(" %d", back[5][x]);
    std::printf("\n");
    for (int y = 0; y < H; y += 4)
        std::printf("row %d: %d\n", y, sums[y]);

    // Copy a window of 4 x 3 items out of the middle.
    int window[3][4];
    check(cudaMemcpy2D(window, sizeof window[0], dev + 8 * pitch + 20 * sizeof(int),
                       pitch, 4 * sizeof(int), 3, cudaMemcpyDeviceToHost), "window");
    for (auto &line : window)
        std::printf("window: %d %d %d %d\n", line[0], line[1], line[2], line[3]);
    cudaFree(dev);
    cudaFree(dsums);
    return 0;
}
