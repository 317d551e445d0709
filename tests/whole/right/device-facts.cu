/* Print facts that are true for every modern card. */
#include <stdio.h>
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) bounded(float *v)
{
    __shared__ float s[256];
    s[threadIdx.x] = v[threadIdx.x];
    s[threadIdx.x + 128] = 1.0f;
    __syncthreads();
    v[threadIdx.x] = s[127 - threadIdx.x] + s[255 - threadIdx.x];
}

__global__ void ask_warp_size(int *out)
{
    *out = warpSize;
}

static const char *yes(bool b)
{
    return b ? "yes" : "no";
}

int main(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1) {
        printf("no device\n");
        return 1;
    }
    cudaSetDevice(0);
    int current = -1;
    cudaGetDevice(&current);
    printf("current device: %d\n", current);

    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, current);
    printf("has a name: %s\n", yes(p.name[0] != '\0'));
    printf("warp size: %d\n", p.warpSize);
    printf("threads per block: %d\n", p.maxThreadsPerBlock);
    printf("block limits: %d %d %d\n", p.maxThreadsDim[0], p.maxThreadsDim[1],
           p.maxThreadsDim[2]);
    printf("grid limits: %d %d %d\n", p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
    printf("shared memory per block: %zu\n", p.sharedMemPerBlock);
    printf("has memory: %s\n", yes(p.totalGlobalMem > 0));
    printf("has multiprocessors: %s\n", yes(p.multiProcessorCount > 0));
    printf("compute capability is 7 or more: %s\n", yes(p.major >= 7));

    int value = 0;
    cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, current);
    printf("attribute warp size agrees: %s\n", yes(value == p.warpSize));
    cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlockDimZ, current);
    printf("attribute block depth: %d\n", value);
    cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, current);
    printf("attribute multiprocessors agrees: %s\n", yes(value == p.multiProcessorCount));
    cudaDeviceGetAttribute(&value, cudaDevAttrUnifiedAddressing, current);
    printf("unified addressing: %d\n", value);

    cudaFuncAttributes f;
    cudaFuncGetAttributes(&f, bounded);
    printf("static shared memory: %zu\n", f.sharedSizeBytes);
    printf("threads at most: %d\n", f.maxThreadsPerBlock);
    printf("uses registers: %s\n", yes(f.numRegs > 0));

    int *dev, seen = 0;
    cudaMalloc((void **)&dev, sizeof(int));
    ask_warp_size<<<1, 1>>>(dev);
    cudaMemcpy(&seen, dev, sizeof seen, cudaMemcpyDeviceToHost);
    printf("warp size in a kernel: %d\n", seen);

    size_t free_bytes = 0, total_bytes = 0;
    cudaMemGetInfo(&free_bytes, &total_bytes);
    printf("free is not above total: %s\n", yes(free_bytes <= total_bytes && free_bytes > 0));

    int runtime = 0, driver = 0;
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    printf("runtime version agrees: %s\n", yes(runtime == CUDART_VERSION));
    printf("driver has a version: %s\n", yes(driver > 0));
    cudaFree(dev);
    return 0;
}
