// SAXPY with managed memory and a grid-stride loop.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        y[i] = a * x[i] + y[i];
}

int main()
{
    const int n = 2500;
    float *x = nullptr;
    float *y = nullptr;
    if (cudaMallocManaged(&x, n * sizeof(float)) != cudaSuccess ||
        cudaMallocManaged(&y, n * sizeof(float)) != cudaSuccess) {
        std::fprintf(stderr, "no managed memory\n");
        return 1;
    }
    // Small whole numbers stay exact in a float.
    for (int i = 0; i < n; ++i) {
        x[i] = static_cast<float>(i % 100);
        y[i] = static_cast<float>(i % 7);
    }

    saxpy<<<4, 64>>>(n, 2.5f, x, y);
    cudaDeviceSynchronize();
    std::printf("after one pass: y[99] = %.1f\n", y[99]);

    // The host may change the data between two launches.
    for (int i = 0; i < n; i += 2)
        x[i] = 0.0f;
    saxpy<<<4, 64>>>(n, -1.0f, x, y);
    cudaError_t err = cudaDeviceSynchronize();
    if (err != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(err));
        return 1;
    }

    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += y[i];
    std::printf("after two passes: y[98] = %.1f, y[99] = %.1f\n", y[98], y[99]);
    std::printf("sum = %.1f\n", sum);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
