// Ways to launch by the driver API: parameters in one buffer, attributes, clusters; and streams.
// link: -lcuda
#include "check.h"
#include <cooperative_groups.h>
#include <cstring>
namespace cg = cooperative_groups;

struct point { double x, y; };

__global__ void add(float *to, char sign, point p, int n)
{
    int i = threadIdx.x;
    if (i < n)
        to[i] += sign == '-' ? (float)-p.x : (float)p.y;
}

__global__ void ranks(unsigned *to)
{
#if __CUDA_ARCH__ >= 900
    to[blockIdx.x] = cg::this_cluster().block_rank() * 10 + cg::this_cluster().num_blocks();
#else
    to[blockIdx.x] = blockIdx.x % 2 * 10 + 2;
#endif
}

int main()
{
    enum { N = 32 };
    CUdevice device;
    CUcontext context;
    CUfunction f;
    CUdeviceptr array;
    CUstream stream;
    float host[N];
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuMemAlloc(&array, sizeof host));
    OK(cuMemsetD32(array, 0, N));
    if (cudaGetFuncBySymbol((cudaFunction_t *)&f, (const void *)add) != cudaSuccess)
        return 1;

    // The driver wants each parameter at its own offset.
    size_t offset[4], size[4], bytes = 0;
    for (int i = 0; i < 4; i++) {
        OK(cuFuncGetParamInfo(f, i, &offset[i], &size[i]));
        printf("parameter %d: %zu bytes at %zu\n", i, size[i], offset[i]);
    }
    SHOW("no more parameters", cuFuncGetParamInfo(f, 4, &offset[0], &size[0]));
    alignas(16) char buffer[64] = {};
    const point p = {2.5, 4};
    const int n = N / 2;
    memcpy(buffer, &array, sizeof array);
    buffer[8] = '-';
    memcpy(buffer + 16, &p, sizeof p);
    memcpy(buffer + 32, &n, sizeof n);
    bytes = 36;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    OK(cuLaunchKernel(f, 1, 1, 1, N, 1, 1, 0, nullptr, nullptr, extra));
    OK(cuMemcpyDtoH(host, array, sizeof host));
    printf("by a buffer: %g %g, then %g\n", host[0], host[15], host[16]);

    int least, greatest, priority;
    unsigned flags;
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    OK(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, greatest));
    OK(cuStreamGetPriority(stream, &priority));
    OK(cuStreamGetFlags(stream, &flags));
    printf("stream: the greatest priority: %d, flags %u\n", priority == greatest, flags);

    char sign = '+';
    void *params[] = {&array, &sign, (void *)&p, (void *)&n};
    CUlaunchAttribute attributes[1] = {};
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = N;
    config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream;
    config.attrs = attributes;
    config.numAttrs = 1;
    attributes[0].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    attributes[0].value.priority = greatest;
    OK(cuLaunchKernelEx(&config, f, params, nullptr));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(host, array, sizeof host));
    printf("with attributes: %g\n", host[0]);

    // Two blocks of a cluster.
    unsigned told[4];
    void *one[] = {&array};
    if (cudaGetFuncBySymbol((cudaFunction_t *)&f, (const void *)ranks) != cudaSuccess)
        return 1;
    config.gridDimX = 4;
    config.blockDimX = 1;
    attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes[0].value.clusterDim.x = 2;
    attributes[0].value.clusterDim.y = attributes[0].value.clusterDim.z = 1;
    OK(cuLaunchKernelEx(&config, f, one, nullptr));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(told, array, sizeof told));
    printf("in clusters: %u %u %u %u\n", told[0], told[1], told[2], told[3]);

    OK(cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_SHARED));
    SHOW("no kernel", cuFuncSetCacheConfig(nullptr, CU_FUNC_CACHE_PREFER_SHARED));
    OK(cuStreamDestroy(stream));
    OK(cuMemFree(array));
    OK(cuDevicePrimaryCtxRelease(device));
}
