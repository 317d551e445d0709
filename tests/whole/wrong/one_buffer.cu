// wrong: streams-conflict
// Two streams bring their results into the same pinned buffer.
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

const int N = 256;

__global__ void powers(int *out, int base)
{
    int p = 1;
    for (int k = 0; k < threadIdx.x % 8; k++)
        p *= base;
    out[threadIdx.x] = p;
}

int main()
{
    int *d[2], *result;
    cudaStream_t s[2];
    CHECK(cudaMallocHost(&result, N * sizeof(int)));
    for (int i = 0; i < 2; i++) {
        CHECK(cudaStreamCreate(&s[i]));
        CHECK(cudaMalloc(&d[i], N * sizeof(int)));
    }
    powers<<<1, N, 0, s[0]>>>(d[0], 2);
    powers<<<1, N, 0, s[1]>>>(d[1], 3);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(result, d[0], N * sizeof(int), cudaMemcpyDefault, s[0]));  // HERE
    CHECK(cudaMemcpyAsync(result, d[1], N * sizeof(int), cudaMemcpyDefault, s[1]));  // AND HERE
    CHECK(cudaDeviceSynchronize());
    printf("first: %d\n", result[0]);
    for (int i = 0; i < 2; i++) {
        CHECK(cudaStreamDestroy(s[i]));
        CHECK(cudaFree(d[i]));
    }
    CHECK(cudaFreeHost(result));
}
