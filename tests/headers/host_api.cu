/* SPDX-License-Identifier: GPL-3.0-or-later */
/* the rest of the runtime API that courses use */
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
__constant__ float table[4];
__device__ int total;
__global__ void k(float *p) { p[0] = table[1] + total; }
void CUDART_CB done(cudaStream_t, cudaError_t, void *) {}
int main()
{
    float *d, *h, ms, values[4] = {0};
    cudaDeviceProp prop;
    int count, device, blocks, grid, block, attribute;
    cudaGetDeviceCount(&count); cudaSetDevice(0); cudaGetDevice(&device);
    cudaGetDeviceProperties(&prop, device);
    cudaDeviceGetAttribute(&attribute, cudaDevAttrMultiProcessorCount, device);
    printf("%s %d.%d %zu %d %d\n", prop.name, prop.major, prop.minor, prop.totalGlobalMem,
           prop.maxThreadsDim[0], prop.multiProcessorCount);
    cudaMallocHost(&h, 64); cudaHostAlloc(&h, 64, cudaHostAllocDefault);
    cudaHostAlloc((void **)&h, 64, cudaHostAllocMapped);
    cudaStream_t s; cudaEvent_t a, b;
    cudaStreamCreate(&s); cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaEventCreate(&a); cudaEventCreateWithFlags(&b, cudaEventDisableTiming);
    size_t pitch;
    cudaMallocPitch(&d, &pitch, 16, 16); cudaMallocPitch((void **)&d, &pitch, 16, 16);
    cudaMemcpy2D(d, pitch, h, 16, 16, 16, cudaMemcpyDefault); cudaMemset2D(d, pitch, 0, 16, 16);
    cudaEventRecord(a, s); cudaEventRecord(b);
    cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s);
    k<<<1, 32, 0, s>>>(d); k<<<dim3(1, 2), dim3(8, 8), 64>>>(d);
    cudaStreamWaitEvent(s, b, 0); cudaStreamAddCallback(s, done, nullptr, 0);
    cudaEventSynchronize(b); cudaEventElapsedTime(&ms, a, b);
    cudaStreamSynchronize(s); cudaStreamDestroy(s); cudaEventDestroy(a);
    cudaMemcpyToSymbol(table, values, sizeof values);
    cudaMemcpyFromSymbol(&count, total, sizeof total);
    cudaMemcpyToSymbol(table, values, 4, 8, cudaMemcpyHostToDevice);
    void *at; cudaGetSymbolAddress(&at, total);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, k, 0, 0);
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 16);
    cudaFuncAttributes attributes; cudaFuncGetAttributes(&attributes, k);
    void *arguments[] = {&d};
    cudaLaunchKernel((void *)k, dim3(1), dim3(32), arguments, 0, s);
    cudaLaunchCooperativeKernel((void *)k, 1, 32, arguments);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20); cudaMemGetInfo(&pitch, &pitch);
    cudaFreeHost(h); cudaFree(d); cudaDeviceReset();
    return cudaSuccess;
}
