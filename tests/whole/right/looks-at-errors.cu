// A program that asks for too much memory, sees the error, and takes less.
// It looks at each error in its own way.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void last(int *v, int n) { v[n - 1] = n; }
__global__ void too_many(int *) {}

int main()
{
    int *v = nullptr, result = 0;
    size_t n = (size_t)1 << 50;
    if (cudaMalloc(&v, n) != cudaSuccess) {
        n = 1024;
        if (cudaSuccess != cudaMalloc(&v, n))
            return 1;
    }
    cudaError_t e = cudaSetDevice(99);
    bool refused = e != cudaSuccess;
    too_many<<<1, 5000>>>(v);
    cudaDeviceSynchronize();
    const bool failed = cudaGetLastError() != cudaSuccess;
    last<<<1, 1>>>(v, (int)(n / sizeof(int)));
    e = cudaMemcpy(&result, v + n / sizeof(int) - 1, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d, refused: %d, failed: %d\n", result, (int)refused, (int)failed);
    return e == cudaSuccess && cudaFree(v) == cudaSuccess ? 0 : 1;
}
