// Zero-copy: the kernel reads and writes mapped host memory.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void reverse(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[n - 1 - i] = in[i];
}

__global__ void square(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= data[i];
}

int main()
{
    const int n = 500;
    int can_map = 0;
    cudaDeviceGetAttribute(&can_map, cudaDevAttrCanMapHostMemory, 0);
    std::printf("can map host memory: %d\n", can_map);
    if (!can_map)
        return 1;

    int *in, *out;
    cudaHostAlloc(&in, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined);
    cudaHostAlloc(&out, n * sizeof(int), cudaHostAllocMapped);
    for (int i = 0; i < n; ++i)
        in[i] = i;

    int *din, *dout;
    cudaHostGetDevicePointer(&din, in, 0);
    cudaHostGetDevicePointer(&dout, out, 0);
    reverse<<<8, 64>>>(din, dout, n);
    cudaDeviceSynchronize();
    std::printf("reversed: %d %d %d\n", out[0], out[1], out[n - 1]);

    // Register a plain array, too.
    static int plain[64];
    for (int i = 0; i < 64; ++i)
        plain[i] = i - 32;
    cudaError_t e = cudaHostRegister(plain, sizeof plain, cudaHostRegisterMapped);
    if (e != cudaSuccess) {
        std::printf("register: %s\n", cudaGetErrorString(e));
        return 1;
    }
    int *dplain;
    cudaHostGetDevicePointer(&dplain, plain, 0);
    square<<<1, 64>>>(dplain, 64);
    cudaDeviceSynchronize();
    cudaHostUnregister(plain);

    int sum = 0;
    for (int v : plain)
        sum += v;
    std::printf("squares: %d ... %d, sum %d\n", plain[0], plain[63], sum);
    cudaFreeHost(in);
    cudaFreeHost(out);
    return 0;
}
