// wrong: streams-conflict
// One kernel makes a wave. A second one counts the points above zero.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                       \
    do {                                                                  \
        cudaError_t e = (call);                                           \
        if (e != cudaSuccess) {                                           \
            printf("%s at line %d\n", cudaGetErrorString(e), __LINE__);   \
            exit(1);                                                      \
        }                                                                 \
    } while (0)

__global__ void makeWave(int *wave, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int phase = i % 20;
        wave[i] = phase < 10 ? phase - 4 : 14 - phase;  // OR HERE
    }
}

__global__ void countPositive(const int *wave, int n, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && wave[i] > 0) {  // OR HERE
        atomicAdd(count, 1);
    }
}

int main()
{
    const int n = 4000;
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    int *wave, *count;
    CHECK(cudaMalloc(&wave, n * sizeof(int)));
    CHECK(cudaMalloc(&count, sizeof(int)));
    CHECK(cudaMemset(wave, 0, n * sizeof(int)));
    CHECK(cudaMemset(count, 0, sizeof(int)));
    CHECK(cudaDeviceSynchronize());

    cudaStream_t first, second;
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));

    makeWave<<<blocks, threads, 0, first>>>(wave, n);  // HERE
    CHECK(cudaGetLastError());
    countPositive<<<blocks, threads, 0, second>>>(wave, n, count);  // AND HERE
    CHECK(cudaGetLastError());

    CHECK(cudaStreamSynchronize(first));
    CHECK(cudaStreamSynchronize(second));

    int result = 0;
    CHECK(cudaMemcpy(&result, count, sizeof(int), cudaMemcpyDeviceToHost));
    printf("points above zero: %d\n", result);

    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
    CHECK(cudaFree(wave));
    CHECK(cudaFree(count));
    return 0;
}
