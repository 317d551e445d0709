// Two streams. The second waits for an event of the first.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void fill(int *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = 5 * i + 1;
}

__global__ void collect(const int *v, int *odd, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && v[i] % 2 == 1)
        atomicAdd(odd, 1);
}

int main()
{
    const int n = 4096;
    int *v, *odd;
    cudaMalloc(&v, n * sizeof(int));
    cudaMalloc(&odd, sizeof(int));

    cudaStream_t one, two;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEvent_t begin, end, ready;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);

    cudaMemsetAsync(odd, 0, sizeof(int), one);
    cudaEventRecord(begin, one);
    fill<<<n / 256, 256, 0, one>>>(v, n);
    cudaEventRecord(ready, one);

    cudaStreamWaitEvent(two, ready, 0);
    collect<<<n / 256, 256, 0, two>>>(v, odd, n);
    cudaEventRecord(end, two);
    cudaEventSynchronize(end);

    int count = -1;
    cudaMemcpyAsync(&count, odd, sizeof count, cudaMemcpyDeviceToHost, two);
    cudaStreamSynchronize(two);
    std::printf("odd items: %d\n", count);

    float ms = 0.0f;
    cudaError_t e = cudaEventElapsedTime(&ms, begin, end);
    if (e == cudaSuccess && ms > 0.0f)
        std::printf("timed\n");
    else
        std::printf("not timed: %s\n", cudaGetErrorName(e));

    e = cudaEventQuery(ready);
    std::printf("ready event: %s\n", cudaGetErrorName(e));
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaEventDestroy(ready);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaFree(v);
    cudaFree(odd);
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
