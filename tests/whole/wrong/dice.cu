// wrong: elements-for-bytes
// How often do the sums of two dice come up?
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int kSums = 13;

inline void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(e));
        std::exit(1);
    }
}

__global__ void roll(int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int first = i % 6 + 1;
        int second = i / 6 % 6 + 1;
        atomicAdd(&count[first + second], 1);  // OR HERE
    }
}

int main()
{
    const int n = 3600;
    int *count = nullptr;
    check(cudaMalloc(&count, kSums * sizeof(int)), "malloc");
    check(cudaMemset(count, 0, kSums), "memset");  // HERE

    roll<<<(n + 255) / 256, 256>>>(count, n);
    check(cudaGetLastError(), "launch");

    std::array<int, kSums> h{};
    check(cudaMemcpy(h.data(), count, sizeof(h), cudaMemcpyDeviceToHost), "copy");
    for (int s = 2; s < kSums; s++) {
        std::printf("%2d: %d\n", s, h[s]);
    }
    check(cudaFree(count), "free");
    return 0;
}
