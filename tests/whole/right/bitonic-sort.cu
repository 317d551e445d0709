// Bitonic sort of 512 keys in global memory. A template picks the order.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

template <typename T>
__device__ void swap_items(T &a, T &b)
{
    T t = a;
    a = b;
    b = t;
}

template <bool Up>
__global__ void merge_step(unsigned *keys, int distance, int run)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int other = i ^ distance;
    if (other < i)
        return;
    bool rising = ((i & run) == 0) == Up;
    if ((keys[i] > keys[other]) == rising)
        swap_items(keys[i], keys[other]);
}

template <bool Up>
static void sort_on_device(unsigned *keys, int n)
{
    for (int run = 2; run <= n; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2)
            merge_step<Up><<<n / 128, 128>>>(keys, distance, run);
}

int main()
{
    const int n = 512;
    std::vector<unsigned> keys(n), sorted(n);
    unsigned x = 1;
    for (auto &k : keys) {
        x = x * 69069u + 5u;
        k = x >> 20;
    }

    unsigned *dev;
    cudaMalloc(&dev, n * sizeof(unsigned));
    cudaMemcpy(dev, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    sort_on_device<true>(dev, n);
    cudaMemcpy(sorted.data(), dev, n * sizeof(unsigned), cudaMemcpyDeviceToHost);

    std::printf("before: %u %u %u\n", keys[0], keys[1], keys[2]);
    std::printf("up: %u %u ... %u ... %u %u\n", sorted[0], sorted[1], sorted[n / 2],
                sorted[n - 2], sorted[n - 1]);
    std::vector<unsigned> want = keys;
    std::sort(want.begin(), want.end());
    bool same = want == sorted;
    std::printf("same as std::sort: %s\n", same ? "yes" : "no");

    sort_on_device<false>(dev, n);
    cudaMemcpy(sorted.data(), dev, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    std::reverse(want.begin(), want.end());
    same = same && want == sorted;
    std::printf("down: %u ... %u, %s\n", sorted[0], sorted[n - 1],
                want == sorted ? "right" : "wrong");
    cudaFree(dev);
    return same ? 0 : 1;
}
