// wrong: elements-for-bytes
// Values of a polynomial at many places.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(x)                                                             \
    do {                                                                     \
        cudaError_t status = (x);                                            \
        if (status != cudaSuccess) {                                         \
            std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

__constant__ double coef[4];

__global__ void evaluate(double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double x = i * 0.5;
        y[i] = ((coef[3] * x + coef[2]) * x + coef[1]) * x + coef[0];  // OR HERE
    }
}

int main()
{
    const int n = 800;
    const double c[4] = {1.0, -2.0, 0.5, 0.25};
    CHECK(cudaMemcpyToSymbol(coef, c, sizeof(c)));

    double *y;
    CHECK(cudaMalloc(&y, n));  // HERE
    evaluate<<<(n + 99) / 100, 100>>>(y, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    std::vector<double> h(n);
    CHECK(cudaMemcpy(h.data(), y, n * sizeof(double), cudaMemcpyDeviceToHost));  // OR HERE
    std::printf("p(0) = %.2f\np(4) = %.2f\np(10) = %.2f\n", h[0], h[8], h[20]);

    CHECK(cudaFree(y));
    return 0;
}
