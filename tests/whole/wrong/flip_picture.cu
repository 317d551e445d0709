// wrong: out-of-bounds
// Flips a picture of 48 by 20 points from left to right.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

constexpr int kWidth = 48;
constexpr int kHeight = 20;

static void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(e));
        std::exit(1);
    }
}

__global__ void flip(const short *in, short *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < kWidth && y < kHeight) {
        short p = in[y * kWidth + (kWidth - 1 - x)];
        out[x * kWidth + y] = p;  // HERE
    }
}

int main()
{
    const size_t bytes = kWidth * kHeight * sizeof(short);
    std::vector<short> picture(kWidth * kHeight);
    for (int y = 0; y < kHeight; y++) {
        for (int x = 0; x < kWidth; x++) {
            picture[y * kWidth + x] = static_cast<short>(100 * y + x);
        }
    }

    short *in, *out;
    check(cudaMalloc(&in, bytes), "malloc");
    check(cudaMalloc(&out, bytes), "malloc");
    check(cudaMemcpy(in, picture.data(), bytes, cudaMemcpyHostToDevice), "copy in");
    check(cudaMemset(out, 0, bytes), "memset");

    dim3 block(16, 8);
    dim3 grid((kWidth + 15) / 16, (kHeight + 7) / 8);
    flip<<<grid, block>>>(in, out);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "kernel");

    check(cudaMemcpy(picture.data(), out, bytes, cudaMemcpyDeviceToHost), "copy out");
    std::printf("row 0 starts with %d %d\n", picture[0], picture[1]);
    std::printf("row 3 starts with %d %d\n", picture[3 * kWidth], picture[3 * kWidth + 1]);
    check(cudaFree(in), "free");
    check(cudaFree(out), "free");
    return 0;
}
