// The Mandelbrot set in fixed-point numbers, so that each card agrees.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

typedef long long fixed;
const int SHIFT = 20;

__host__ __device__ inline fixed mul(fixed a, fixed b)
{
    return (a * b) >> SHIFT;
}

struct View {
    int width, height, limit;
    fixed left, top, step_x, step_y;
};

__constant__ View view;

__global__ void iterate(int *counts)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= view.width || y >= view.height)
        return;
    const fixed cr = view.left + x * view.step_x;
    const fixed ci = view.top + y * view.step_y;
    fixed zr = 0, zi = 0;
    int n = 0;
    while (n < view.limit) {
        fixed rr = mul(zr, zr), ii = mul(zi, zi);
        if (rr + ii > (4LL << SHIFT))
            break;
        zi = 2 * mul(zr, zi) + ci;
        zr = rr - ii + cr;
        ++n;
    }
    counts[y * view.width + x] = n;
}

int main()
{
    View v;
    v.width = 48;
    v.height = 17;
    v.limit = 50;
    v.left = -(9LL << SHIFT) / 4;       // -2.25
    v.top = -(5LL << SHIFT) / 4;        // -1.25
    v.step_x = (1LL << SHIFT) / 15;
    v.step_y = (5LL << SHIFT) / 32;
    cudaMemcpyToSymbol(view, &v, sizeof v);

    std::vector<int> counts(v.width * v.height);
    int *dev;
    cudaMalloc(&dev, counts.size() * sizeof(int));
    dim3 block(16, 8);
    dim3 grid((v.width + 15) / 16, (v.height + 7) / 8);
    iterate<<<grid, block>>>(dev);
    cudaMemcpy(counts.data(), dev, counts.size() * sizeof(int), cudaMemcpyDeviceToHost);

    long sum = 0;
    int inside = 0;
    for (int y = 0; y < v.height; ++y) {
        for (int x = 0; x < v.width; ++x) {
            int n = counts[y * v.width + x];
            sum += n;
            inside += n == v.limit;
            std::putchar(n == v.limit ? '#' : n > 9 ? '+' : n > 4 ? '-' : n > 2 ? '.' : ' ');
        }
        std::puts("|");
    }
    std::printf("iterations: %ld\n", sum);
    std::printf("inside: %d\n", inside);
    cudaFree(dev);
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
