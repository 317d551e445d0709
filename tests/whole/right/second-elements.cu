// Two streams work on one array: one on the even elements, one on the odd ones.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                    \
    do {                                                               \
        cudaError_t e = (call);                                        \
        if (e != cudaSuccess) {                                        \
            printf("%s, line %d\n", cudaGetErrorString(e), __LINE__);  \
            exit(1);                                                   \
        }                                                              \
    } while (0)

const int N = 1000;

__global__ void every_second(int *v, int first, int value)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + first;
    if (i < N)
        v[i] = value + i;
}

int main()
{
    int *v, out[N];
    cudaStream_t s[2];
    CHECK(cudaMalloc(&v, N * sizeof(int)));
    for (int i = 0; i < 2; i++)
        CHECK(cudaStreamCreate(&s[i]));
    for (int i = 0; i < 2; i++) {
        every_second<<<4, 128, 0, s[i]>>>(v, i, 1000 * i);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaMemcpy(out, v, sizeof out, cudaMemcpyDeviceToHost));  // it waits for both
    printf("%d %d %d %d\n", out[0], out[1], out[N - 2], out[N - 1]);
    for (int i = 0; i < 2; i++)
        CHECK(cudaStreamDestroy(s[i]));
    CHECK(cudaFree(v));
}
