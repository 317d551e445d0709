// The runtime and the driver in one program share the primary context, and its memory and streams.
// link: -lcuda
#include "check.h"

__global__ void twice(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= 2;
}
__device__ int offset = 100;
__global__ void add(int *p) { p[threadIdx.x] += offset; }

int main()
{
    enum { N = 64 };
    int array[N], *p, more = 7;
    CUcontext current, primary;
    CUdeviceptr driver_p;
    CUstream stream;
    cudaFunction_t f;
    void *variable;
    cudaMalloc(&p, sizeof array); // the runtime begins
    OK(cuCtxGetCurrent(&current));
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    printf("the primary context is current: %d\n", current == primary);
    for (int i = 0; i < N; i++)
        array[i] = i;
    OK(cuMemcpyHtoD((CUdeviceptr)p, array, sizeof array));
    OK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    twice<<<1, N, 0, stream>>>(p, N);
    cudaGetFuncBySymbol(&f, (const void *)twice);
    int n = N / 2;
    void *params[] = {&p, &n};
    OK(cuLaunchKernel(f, 1, 1, 1, N, 1, 1, 0, stream, params, nullptr));
    cudaGetSymbolAddress(&variable, offset);
    OK(cuMemcpyHtoDAsync((CUdeviceptr)variable, &more, sizeof more, stream));
    add<<<1, N, 0, stream>>>(p);
    cudaStreamSynchronize(stream);
    OK(cuMemAlloc(&driver_p, sizeof array));
    cudaMemcpy((void *)driver_p, p, sizeof array, cudaMemcpyDeviceToDevice);
    OK(cuMemcpyDtoH(array, driver_p, sizeof array));
    printf("%d %d %d\n", array[1], array[31], array[32]);

    // An error of the driver is not the runtime's last one.
    SHOW("no such attribute", cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, 1));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree((void *)driver_p);
    OK(cuMemFree((CUdeviceptr)p));
    cudaStreamDestroy(stream);
    OK(cuDevicePrimaryCtxRelease(0));
}
