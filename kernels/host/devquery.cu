/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of devquery.cu's program (source/code-host.h): what the runtime tells of each
 * device.  What was a field of cudaDeviceProp until CUDA 13, and is none since, is an attribute.
 */

//: used by all
static int Attribute(cudaDeviceAttr which, int device)
{
    int value;

    CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

static void Print_device(int device)
{
    cudaDeviceProp p;

    CHECK(cudaGetDeviceProperties(&p, device));
    printf("device %d: %s\n", device, p.name);
    printf("  compute capability      %d.%d\n", p.major, p.minor);
    printf("  multiprocessors         %d\n", p.multiProcessorCount);
    printf("  global memory           %zu bytes\n", p.totalGlobalMem);
    printf("  constant memory         %zu bytes\n", p.totalConstMem);
    printf("  shared memory a block   %zu bytes, %zu if asked for\n", p.sharedMemPerBlock,
           p.sharedMemPerBlockOptin);
    printf("  shared memory an SM     %zu bytes, %zu reserved for each block\n",
           p.sharedMemPerMultiprocessor, p.reservedSharedMemPerBlock);
    printf("  registers a block       %d, an SM %d\n", p.regsPerBlock, p.regsPerMultiprocessor);
    printf("  L2 cache                %d bytes\n", p.l2CacheSize);
    printf("  warp                    %d threads\n", p.warpSize);
    printf("  threads a block         %d, in x, y, z at most %d, %d, %d\n", p.maxThreadsPerBlock,
           p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]);
    printf("  threads an SM           %d, in at most %d blocks\n", p.maxThreadsPerMultiProcessor,
           p.maxBlocksPerMultiProcessor);
    printf("  warps an SM             %d\n", p.maxThreadsPerMultiProcessor / p.warpSize);
    printf("  blocks in x, y, z       %d, %d, %d\n", p.maxGridSize[0], p.maxGridSize[1],
           p.maxGridSize[2]);
    printf("  texture in one dimension %d\n", p.maxTexture1D);
    printf("  memory bus              %d bits\n", p.memoryBusWidth);
    printf("  copies during a kernel  %d, by %d engines\n",
           Attribute(cudaDevAttrGpuOverlap, device), p.asyncEngineCount);
    printf("  integrated %d, maps host memory %d, kernels side by side %d, ECC %d\n",
           p.integrated, p.canMapHostMemory, p.concurrentKernels, p.ECCEnabled);
    printf("  clock                   %d kHz\n", Attribute(cudaDevAttrClockRate, device));
    int memory_khz = Attribute(cudaDevAttrMemoryClockRate, device);
    printf("  memory clock            %d kHz\n", memory_khz);
    printf("  peak memory traffic     %.0f GB/s\n", p.memoryBusWidth / 8.0 * memory_khz * 2 / 1e6);
    printf("  limit for a kernel      %d\n", Attribute(cudaDevAttrKernelExecTimeout, device));
}

/* What one thread sees from inside, against what the runtime says. */
static bool Agrees(int device)
{
    enum { WARP_SIZE, SMS, COUNT = 7 };
    unsigned says[COUNT], *says_d;

    CHECK(cudaSetDevice(device));
    CHECK(cudaMalloc(&says_d, sizeof says));
    KERNEL<<<1, 1>>>(says_d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(says, says_d, sizeof says, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(says_d));
    return says[WARP_SIZE] == (unsigned)Attribute(cudaDevAttrWarpSize, device) &&
           says[SMS] == (unsigned)Attribute(cudaDevAttrMultiProcessorCount, device);
}

int main(void)
{
    int count, wrong = 0;

    CHECK(cudaGetDeviceCount(&count));
    for (int device = 0; device < count; device++) {
        bool agrees = Agrees(device);
        Print_device(device);
        printf("  a kernel                %s\n", agrees ? "agrees" : "SAYS OTHERWISE");
        wrong += !agrees;
    }
    return wrong ? EXIT_FAILURE : 0;
}
