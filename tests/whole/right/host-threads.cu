// Two host threads. Each has its own stream and its own half of the work.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>
#include <cuda_runtime.h>

__global__ void count_primes(int from, int to, int *count)
{
    int v = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= to || v < 2)
        return;
    for (int d = 2; d * d <= v; ++d)
        if (v % d == 0)
            return;
    atomicAdd(count, 1);
}

static std::atomic<int> failures{0};

static void worker(int from, int to, int *result)
{
    auto ok = [](cudaError_t e) {
        if (e != cudaSuccess)
            ++failures;
    };
    ok(cudaSetDevice(0));
    cudaStream_t s;
    int *count;
    ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    ok(cudaMalloc(&count, sizeof(int)));
    ok(cudaMemsetAsync(count, 0, sizeof(int), s));

    // Four launches, one after the other, in the stream of this thread.
    int part = (to - from) / 4;
    for (int k = 0; k < 4; ++k) {
        int a = from + k * part;
        count_primes<<<(part + 63) / 64, 64, 0, s>>>(a, a + part, count);
        ok(cudaGetLastError());
    }
    ok(cudaMemcpyAsync(result, count, sizeof(int), cudaMemcpyDeviceToHost, s));
    ok(cudaStreamSynchronize(s));
    ok(cudaFree(count));
    ok(cudaStreamDestroy(s));
}

int main()
{
    const int limit = 4000;
    int result[2] = {0, 0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t)
        threads.emplace_back(worker, t * limit / 2, (t + 1) * limit / 2, &result[t]);
    for (auto &t : threads)
        t.join();

    std::printf("primes below %d: %d\n", limit / 2, result[0]);
    std::printf("primes from %d to %d: %d\n", limit / 2, limit, result[1]);
    std::printf("together: %d\n", result[0] + result[1]);
    std::printf("failures: %d\n", failures.load());
    return failures.load() ? 1 : 0;
}
