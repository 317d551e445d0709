// wrong: illegal-shared
// People by groups of age.
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

constexpr int kGroups = 16;
constexpr int kOldest = 80;

__global__ void groupAges(const int *age, int n, int *total)
{
    __shared__ int local[kGroups];
    if (threadIdx.x < kGroups) {
        local[threadIdx.x] = 0;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int g = age[i] * kGroups / kOldest;  // OR HERE
        atomicAdd(&local[g], 1);  // HERE
    }
    __syncthreads();
    if (threadIdx.x < kGroups) {
        atomicAdd(&total[threadIdx.x], local[threadIdx.x]);
    }
}

int main()
{
    const int n = 810;
    std::vector<int> age(n);
    for (int i = 0; i < n; i++) {
        age[i] = i % (kOldest + 1);
    }

    int *dAge, *dTotal;
    CHECK(cudaMalloc(&dAge, n * sizeof(int)));
    CHECK(cudaMalloc(&dTotal, kGroups * sizeof(int)));
    CHECK(cudaMemcpy(dAge, age.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dTotal, 0, kGroups * sizeof(int)));
    groupAges<<<(n + 127) / 128, 128>>>(dAge, n, dTotal);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    int total[kGroups], sum = 0;
    CHECK(cudaMemcpy(total, dTotal, sizeof(total), cudaMemcpyDeviceToHost));
    for (int t : total) {
        sum += t;
    }
    printf("youngest group: %d\noldest group: %d\nall groups: %d\n", total[0], total[kGroups - 1], sum);
    CHECK(cudaFree(dAge));
    CHECK(cudaFree(dTotal));
    return 0;
}
