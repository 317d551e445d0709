// Memory from the pool of a stream: cudaMallocAsync and cudaFreeAsync.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define OK(call)                                                         \
    do {                                                                 \
        const cudaError_t status = (call);                               \
        if (status != cudaSuccess) {                                     \
            std::printf("%s -> %s\n", #call, cudaGetErrorName(status));  \
            std::exit(1);                                                \
        }                                                                \
    } while (false)

__global__ void iota(int *v, int n, int start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = start + i;
}

__global__ void dot(const int *a, const int *b, unsigned long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, (unsigned long long)a[i] * b[i]);
}

int main()
{
    int pools = 0;
    OK(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0));
    if (!pools) {
        std::printf("no pools\n");
        return 1;
    }
    cudaMemPool_t pool;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    uint64_t keep = UINT64_MAX;
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));

    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    // Every round takes new memory and gives it back in stream order.
    for (int n = 100; n <= 1600; n *= 2) {
        int *a, *b;
        unsigned long long *out, result = 0;
        OK(cudaMallocAsync(&a, n * sizeof(int), s));
        OK(cudaMallocAsync(&b, n * sizeof(int), s));
        OK(cudaMallocAsync(&out, sizeof *out, s));
        OK(cudaMemsetAsync(out, 0, sizeof *out, s));
        iota<<<(n + 127) / 128, 128, 0, s>>>(a, n, 1);
        iota<<<(n + 127) / 128, 128, 0, s>>>(b, n, 2);
        dot<<<(n + 127) / 128, 128, 0, s>>>(a, b, out, n);
        OK(cudaGetLastError());
        OK(cudaFreeAsync(a, s));
        OK(cudaFreeAsync(b, s));
        OK(cudaMemcpyAsync(&result, out, sizeof result, cudaMemcpyDeviceToHost, s));
        OK(cudaFreeAsync(out, s));
        OK(cudaStreamSynchronize(s));
        std::printf("%4d: %llu\n", n, result);
    }
    OK(cudaMemPoolTrimTo(pool, 0));
    OK(cudaStreamDestroy(s));
    std::printf("done\n");
    return 0;
}
