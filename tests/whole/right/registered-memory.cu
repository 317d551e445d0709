// Register memory of malloc, so that kernels use it in place.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void twice(int *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] *= 2;
}

static void show(const char *what, cudaError_t e)
{
    std::printf("%s: %s\n", what, cudaGetErrorName(e));
    cudaGetLastError();
}

int main()
{
    const int n = 5000;
    int *v = static_cast<int *>(std::malloc(n * sizeof *v)), *d, *copy;
    for (int i = 0; i < n; ++i)
        v[i] = i;
    show("register", cudaHostRegister(v, n * sizeof *v, cudaHostRegisterMapped));
    show("once more", cudaHostRegister(v, n * sizeof *v, cudaHostRegisterDefault));
    show("where kernels find it", cudaHostGetDevicePointer(&d, v, 0));
    cudaPointerAttributes a;
    show("what it is", cudaPointerGetAttributes(&a, v + 7));
    std::printf("host memory: %d\n", a.type == cudaMemoryTypeHost);
    twice<<<(n + 255) / 256, 256>>>(d, n);
    cudaDeviceSynchronize();
    std::printf("%d %d\n", v[1], v[n - 1]);
    v[3] = 50;
    twice<<<(n + 255) / 256, 256>>>(d, n);

    cudaMalloc(&copy, n * sizeof *copy);
    cudaMemcpyAsync(copy, v, n * sizeof *v, cudaMemcpyHostToDevice);
    twice<<<(n + 255) / 256, 256>>>(copy, n);
    cudaMemcpyAsync(v, copy, n * sizeof *v, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    std::printf("%d %d %d\n", v[1], v[3], v[n - 1]);
    show("unregister", cudaHostUnregister(v));
    show("once more", cudaHostUnregister(v));
    std::printf("still there: %d\n", v[3]);
    cudaFree(copy);
    std::free(v);
    return 0;
}
