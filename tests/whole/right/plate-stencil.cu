// Heat in a square plate. A 2D stencil on floats, with a struct as argument.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Grid {
    int width;
    int height;
    float *cell;

    __host__ __device__ float &at(int x, int y) const { return cell[y * width + x]; }
};

__global__ void relax(Grid from, Grid to)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= from.width || y >= from.height)
        return;
    bool edge = x == 0 || y == 0 || x == from.width - 1 || y == from.height - 1;
    if (edge) {
        to.at(x, y) = from.at(x, y);
    } else {
        float sum = from.at(x - 1, y) + from.at(x + 1, y) +
                    from.at(x, y - 1) + from.at(x, y + 1);
        to.at(x, y) = sum / 4.0f;
    }
}

int main()
{
    const int w = 20, h = 14, steps = 12;
    std::vector<float> plate(w * h, 0.0f);
    for (int x = 0; x < w; ++x)
        plate[x] = 64.0f;               // The top edge is hot.
    for (int y = 0; y < h; ++y)
        plate[y * w] = 32.0f;           // The left edge is warm.

    Grid a{w, h, nullptr}, b{w, h, nullptr};
    const size_t bytes = plate.size() * sizeof(float);
    cudaMalloc(&a.cell, bytes);
    cudaMalloc(&b.cell, bytes);
    cudaMemcpy(a.cell, plate.data(), bytes, cudaMemcpyHostToDevice);

    dim3 block(8, 4);
    dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
    for (int s = 0; s < steps; s += 2) {
        relax<<<grid, block>>>(a, b);
        relax<<<grid, block>>>(b, a);
    }
    cudaMemcpy(plate.data(), a.cell, bytes, cudaMemcpyDeviceToHost);

    for (int y = 0; y < h; y += 3) {
        for (int x = 0; x < w; x += 4)
            std::printf("%6.1f", plate[y * w + x]);
        std::printf("\n");
    }
    int warm = 0;
    for (float v : plate)
        if (v > 10.0f)
            ++warm;
    std::printf("cells above 10: %d\n", warm);
    cudaFree(a.cell);
    cudaFree(b.cell);
    return 0;
}
