// The default stream and two blocking streams take turns, without a wait of the host.
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

const int N = 128;

__global__ void step(int *v, int factor, int add)
{
    v[threadIdx.x] = v[threadIdx.x] * factor + add;
}

int main()
{
    int *v, out[N];
    cudaStream_t a, b;
    CHECK(cudaMalloc(&v, N * sizeof(int)));
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaMemset(v, 0, N * sizeof(int)));
    step<<<1, N, 0, a>>>(v, 1, 5);
    step<<<1, N>>>(v, 2, 1);
    step<<<1, N, 0, b>>>(v, 3, 2);
    step<<<1, N>>>(v, 10, 0);
    step<<<1, N, 0, cudaStreamPerThread>>>(v, 1, 7);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, v, sizeof out, cudaMemcpyDeviceToHost));
    printf("%d %d\n", out[0], out[N - 1]);
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    CHECK(cudaFree(v));
}
