// Estimate pi with random points. Each thread has its own number generator.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

class Lcg {
public:
    __host__ __device__ explicit Lcg(uint64_t seed) : state(seed * 2862933555777941757ULL + 3037000493ULL)
    {
        next();
        next();
    }
    __host__ __device__ uint32_t next()
    {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<uint32_t>(state >> 33);
    }
    // A number from 0 to 32767.
    __host__ __device__ int next15() { return static_cast<int>(next() >> 16); }

private:
    uint64_t state;
};

__global__ void throw_points(unsigned *hits, int per_thread)
{
    __shared__ unsigned block_hits;
    if (threadIdx.x == 0)
        block_hits = 0;
    __syncthreads();

    Lcg random(blockIdx.x * blockDim.x + threadIdx.x + 1);
    unsigned mine = 0;
    for (int i = 0; i < per_thread; ++i) {
        int x = random.next15();
        int y = random.next15();
        if (x * x + y * y < 32768 * 32768)
            ++mine;
    }
    atomicAdd(&block_hits, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(hits, block_hits);
}

int main()
{
    const int blocks = 4, threads = 64, per_thread = 100;
    unsigned *dev, hits = 0;
    cudaMalloc(&dev, sizeof *dev);
    cudaMemset(dev, 0, sizeof *dev);
    throw_points<<<blocks, threads>>>(dev, per_thread);
    cudaMemcpy(&hits, dev, sizeof hits, cudaMemcpyDeviceToHost);

    // The host must find the same number.
    unsigned check = 0;
    for (int t = 0; t < blocks * threads; ++t) {
        Lcg random(t + 1);
        for (int i = 0; i < per_thread; ++i) {
            int x = random.next15();
            int y = random.next15();
            check += x * x + y * y < 32768 * 32768;
        }
    }
    const int total = blocks * threads * per_thread;
    double pi = 4.0 * hits / total;
    std::printf("points: %d\n", total);
    std::printf("hits: %u\n", hits);
    std::printf("host agrees: %s\n", hits == check ? "yes" : "no");
    std::printf("pi is near %.3f\n", pi);
    std::printf("error is small: %s\n", pi > 3.10 && pi < 3.18 ? "yes" : "no");
    cudaFree(dev);
    return 0;
}
