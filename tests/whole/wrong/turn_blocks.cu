// wrong: barrier
// Turns each group of 128 values around.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

constexpr int kGroup = 128;

#define CHECK(x)                                                              \
    do {                                                                      \
        cudaError_t status = (x);                                             \
        if (status != cudaSuccess) {                                          \
            std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
            std::exit(1);                                                     \
        }                                                                     \
    } while (0)

__global__ void turn(int *v, int n)
{
    __shared__ int s[kGroup];
    int first = blockIdx.x * kGroup;
    int t = threadIdx.x;
    int length = n - first < kGroup ? n - first : kGroup;
    if (t < length) {  // OR HERE
        s[t] = v[first + t];
        __syncthreads();  // HERE
        v[first + t] = s[length - 1 - t];
    }
}

int main()
{
    const int n = 300;
    std::vector<int> h(n);
    for (int i = 0; i < n; i++) {
        h[i] = i;
    }
    int *v;
    CHECK(cudaMalloc(&v, n * sizeof(int)));
    CHECK(cudaMemcpy(v, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    turn<<<(n + kGroup - 1) / kGroup, kGroup>>>(v, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), v, n * sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("%d %d %d %d\n", h[0], h[127], h[256], h[299]);
    CHECK(cudaFree(v));
    return 0;
}
