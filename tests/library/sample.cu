/* SPDX-License-Identifier: GPL-3.0-or-later */
/* a sample program with helper headers in a folder of its own, given by -I */
//! options -I samples
//! array a f32 64 iota
//! array b f32 64 value:2
//! array c f32 64
//! launch addUp<<<2,32>>>(a, b, c, 60)
#include <assert.h>
#include <stdio.h>
#include <cuda_runtime.h>
#ifndef __CUDACC_RTC__
#include <curand.h>
#endif
#include <helper_cuda.h>

#if !defined(__CUDACC_RTC__) && (!defined(__CUDACC__) || CUDART_VERSION < 11000)
#error "a compiler of CUDA C is expected"
#endif
#if !defined(__CUDACC_RTC__) && __CUDACC_VER_MAJOR__ < 12
#error "a compiler of these years is expected"
#endif

__global__ void addUp(const float *a, const float *b, float *sum, int count)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    sum[i] = i < count ? a[i] + b[i] : -1.0f;
}

int main(int argc, char **argv)
{
    const size_t size = 64 * sizeof(float);
    float *h = (float *)malloc(size), *d = NULL, *m = NULL, ms = 0;
    findCudaDevice(argc, (const char **)argv);
    checkCudaErrors(cudaMalloc((void **)&d, size));
    checkCudaErrors(cudaMallocManaged(&m, size));
    cudaStream_t stream;
    cudaEvent_t start, stop;
    checkCudaErrors(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    checkCudaErrors(cudaEventCreate(&start));
    checkCudaErrors(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
    checkCudaErrors(cudaMemcpyAsync(d, h, size, cudaMemcpyHostToDevice, stream));
    checkCudaErrors(cudaEventRecord(start, stream));
    addUp<<<2, 32, 0, stream>>>(d, m, d, 60);
    getLastCudaError("the launch failed");
    int count = 60;
    void *arguments[] = {&d, &m, &d, &count};
    checkCudaErrors(cudaLaunchKernel((void *)addUp, dim3(2), dim3(32), arguments, 0, stream));
    checkCudaErrors(cudaEventRecord(stop, stream));
    checkCudaErrors(cudaEventElapsedTime(&ms, start, stop));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaKernelNodeParams params = {0};
    params.func = (void *)addUp;
    params.gridDim = dim3(2, 1, 1);
    params.kernelParams = arguments;
    checkCudaErrors(cudaGraphCreate(&graph, 0));
    checkCudaErrors(cudaGraphAddKernelNode(&node, graph, NULL, 0, &params));
    checkCudaErrors(cudaGraphInstantiate(&exec, graph, 0));
    checkCudaErrors(cudaGraphLaunch(exec, stream));
    cudaMemPool_t pool;
    unsigned long long most = ~0ULL;
    checkCudaErrors(cudaDeviceGetDefaultMemPool(&pool, 0));
    checkCudaErrors(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most));
    cudaLaunchConfig_t config = {0};
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeCooperative;
    attribute[0].val.cooperative = 1;
    config.gridDim = 2;
    config.blockDim = 32;
    config.attrs = attribute;
    config.numAttrs = 1;
    checkCudaErrors(cudaLaunchKernelEx(&config, addUp, (const float *)d, (const float *)m, d,
                                       60));
    curandGenerator_t generator;
    checkCudaErrors(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    checkCudaErrors(cudaFree(d));
    return EXIT_SUCCESS;
}
