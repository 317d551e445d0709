// wrong: uninit
// Adds up three columns with weights.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                      \
    do {                                                                 \
        cudaError_t e = (call);                                          \
        if (e != cudaSuccess) {                                          \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));    \
            exit(1);                                                     \
        }                                                                \
    } while (0)

__global__ void addColumn(float *total, const float *column, float weight, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        total[i] += weight * column[i];  // HERE
    }
}

int main()
{
    const int n = 250;
    const float weight[3] = {0.5f, 2.0f, 1.0f};
    std::vector<float> h(n);
    float *total, *column;
    CHECK(cudaMalloc(&total, n * sizeof(float)));  // OR HERE
    CHECK(cudaMalloc(&column, n * sizeof(float)));

    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < n; i++) {
            h[i] = static_cast<float>((i + k) % 8);
        }
        CHECK(cudaMemcpy(column, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
        addColumn<<<(n + 127) / 128, 128>>>(total, column, weight[k], n);
        CHECK(cudaGetLastError());
    }

    CHECK(cudaMemcpy(h.data(), total, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++) {
        printf("%d: %.1f\n", i, h[i]);
    }
    CHECK(cudaFree(total));
    CHECK(cudaFree(column));
    return 0;
}
