// wrong: error-ignored
// Longest chains of the 3n + 1 rule. The work goes to the last card of the machine.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

static void check(cudaError_t e, int line)
{
    if (e != cudaSuccess) {
        std::printf("line %d: %s\n", line, cudaGetErrorString(e));
        std::exit(1);
    }
}
#define CHECK(x) check((x), __LINE__)

__global__ void collatz(int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long v = i + 1;
    int count = 0;
    while (v != 1) {
        v = v % 2 ? 3 * v + 1 : v / 2;
        count++;
    }
    steps[i] = count;
}

int main()
{
    int n = 300;
    int cards = 0;
    CHECK(cudaGetDeviceCount(&cards));
    cudaSetDevice(cards);  // HERE

    int *steps = nullptr;
    CHECK(cudaMalloc(&steps, n * sizeof(int)));
    void *args[] = {&steps, &n};
    dim3 block(64);
    dim3 grid((n + block.x - 1) / block.x);
    CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(&collatz), grid, block, args, 0, nullptr));
    CHECK(cudaDeviceSynchronize());

    std::vector<int> h(n);
    CHECK(cudaMemcpy(h.data(), steps, n * sizeof(int), cudaMemcpyDeviceToHost));
    int best = 0;
    for (int i = 1; i < n; i++) {
        if (h[i] > h[best]) best = i;
    }
    std::printf("longest chain: %d takes %d steps\n", best + 1, h[best]);

    CHECK(cudaFree(steps));
    return 0;
}
