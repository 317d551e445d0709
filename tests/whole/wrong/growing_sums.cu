// wrong: leak
// Sums of longer and longer rows.
#include <cstdio>
#include <cstdlib>
#include <numeric>
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

__global__ void sumRow(const int *row, int n, int *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(sum, row[i]);
    }
}

int main()
{
    int *row = nullptr;
    int *sum = nullptr;
    CHECK(cudaMalloc(&sum, sizeof(int)));

    for (int n = 50; n <= 400; n *= 2) {
        std::vector<int> h(n);
        std::iota(h.begin(), h.end(), 1);
        CHECK(cudaMalloc(&row, n * sizeof(int)));  // HERE
        CHECK(cudaMemcpy(row, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
        CHECK(cudaMemset(sum, 0, sizeof(int)));
        sumRow<<<(n + 63) / 64, 64>>>(row, n, sum);
        CHECK(cudaGetLastError());
        int result = 0;
        CHECK(cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost));
        printf("n = %3d, sum = %d\n", n, result);
    }

    CHECK(cudaFree(row));  // OR HERE
    CHECK(cudaFree(sum));
    return 0;
}
