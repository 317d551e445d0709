// wrong: launch-failed
// Sorts a row of numbers in shared memory by odd-even exchange.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(x)                                                              \
    do {                                                                      \
        cudaError_t status = (x);                                             \
        if (status != cudaSuccess) {                                          \
            std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
            std::exit(1);                                                     \
        }                                                                     \
    } while (0)

__global__ void sortRow(double *row, int n)
{
    extern __shared__ double s[];
    int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x) {
        s[i] = row[i];
    }
    __syncthreads();
    for (int pass = 0; pass < n; pass++) {
        int i = 2 * t + pass % 2;
        if (i + 1 < n && s[i] > s[i + 1]) {
            double x = s[i];
            s[i] = s[i + 1];
            s[i + 1] = x;
        }
        __syncthreads();
    }
    for (int i = t; i < n; i += blockDim.x) {
        row[i] = s[i];
    }
}

int main()
{
    const int n = 101;
    const size_t room = 8192 * sizeof(double);  // OR HERE
    std::vector<double> h(n);
    for (int i = 0; i < n; i++) {
        h[i] = (i * 29) % 101;
    }

    double *row;
    CHECK(cudaMalloc(&row, n * sizeof(double)));
    CHECK(cudaMemcpy(row, h.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    sortRow<<<1, 64, room>>>(row, n);  // HERE
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h.data(), row, n * sizeof(double), cudaMemcpyDeviceToHost));

    std::printf("smallest %.0f\nmedian %.0f\nlargest %.0f\n", h[0], h[n / 2], h[n - 1]);
    CHECK(cudaFree(row));
    return 0;
}
