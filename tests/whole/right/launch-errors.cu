// exit: 4
// Make errors on purpose and print their names. The exit code counts them.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(int *v, int value)
{
    v[threadIdx.x] = value;
}

static int seen = 0;

static void show(const char *what, cudaError_t e)
{
    std::printf("%s: %s (%s)\n", what, cudaGetErrorName(e), cudaGetErrorString(e));
    if (e != cudaSuccess)
        ++seen;
}

int main()
{
    int *v = nullptr;
    cudaMalloc(&v, 64 * sizeof(int));
    std::printf("at the start: %s\n", cudaGetErrorName(cudaGetLastError()));

    // A block of 4096 threads is too large for any card.
    fill<<<1, 4096>>>(v, 1);
    std::printf("peek: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    std::printf("peek again: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    show("large block", cudaGetLastError());
    std::printf("after reading: %s\n", cudaGetErrorName(cudaGetLastError()));

    // A grid without blocks is wrong, too.
    fill<<<0, 64>>>(v, 2);
    show("empty grid", cudaGetLastError());

    // There is no device with this number.
    cudaError_t e = cudaSetDevice(5000);
    show("device 5000", e);
    cudaGetLastError();

    // No card has this much memory.
    void *huge = nullptr;
    e = cudaMalloc(&huge, static_cast<size_t>(1) << 52);
    show("huge allocation", e);
    cudaGetLastError();

    // The errors above do not spoil the device.
    fill<<<1, 64>>>(v, 42);
    show("good launch", cudaGetLastError());
    int host[64];
    show("copy", cudaMemcpy(host, v, sizeof host, cudaMemcpyDeviceToHost));
    std::printf("first %d, last %d\n", host[0], host[63]);
    cudaFree(v);
    return seen;
}
