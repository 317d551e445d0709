/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for the CUDA Toolkit's header of this name: the runtime API and its C++ forms, for
 * clang without the toolkit.
 *
 * nvcc puts its cuda_runtime.h in front of every file, and with it some C headers; programs
 * have come to lean on that, so this one is put in front too and includes the same.  In cudalab's
 * own build of its kernels only cudalab_device.h is in front.
 */
#ifndef CUDALAB_CUDA_RUNTIME_H
#define CUDALAB_CUDA_RUNTIME_H
#ifndef __CUDACC_RTC__

/* nvcc says so of itself, and files ask for it. */
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#define __CUDA_API_VER_MAJOR__ 13
#define __CUDA_API_VER_MINOR__ 0
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda_runtime_api.h"
#include "vector_types.h"

/* ---- Mathematics that host code may call too, and that the C library does not have ---- */

#define CUDALAB_HOST_ONE(name) double name(double x); float name##f(float x);
#define CUDALAB_HOST_TWO(name) double name(double x, double y); float name##f(float x, float y);
CUDALAB_HOST_ONE(rsqrt) CUDALAB_HOST_ONE(rcbrt) CUDALAB_HOST_ONE(sinpi) CUDALAB_HOST_ONE(cospi)
CUDALAB_HOST_ONE(erfinv) CUDALAB_HOST_ONE(erfcinv) CUDALAB_HOST_ONE(erfcx)
CUDALAB_HOST_ONE(normcdf) CUDALAB_HOST_ONE(normcdfinv) CUDALAB_HOST_ONE(cyl_bessel_i0)
CUDALAB_HOST_ONE(cyl_bessel_i1) CUDALAB_HOST_TWO(rhypot) CUDALAB_HOST_TWO(fdivide)
void sincospi(double x, double *sine, double *cosine);
void sincospif(float x, float *sine, float *cosine);
double norm3d(double x, double y, double z);
float norm3df(float x, float y, float z);
double rnorm3d(double x, double y, double z);
float rnorm3df(float x, float y, float z);
double norm4d(double x, double y, double z, double w);
float norm4df(float x, float y, float z, float w);
#undef CUDALAB_HOST_ONE
#undef CUDALAB_HOST_TWO

/* ---- Typed forms of functions that take void ** ---- */

template <class T> cudaError_t cudaMalloc(T **at, size_t size);
template <class T> cudaError_t cudaMallocHost(T **at, size_t size, unsigned flags = 0);
template <class T>
cudaError_t cudaMallocManaged(T **at, size_t size, unsigned flags = cudaMemAttachGlobal);
template <class T> cudaError_t cudaMallocAsync(T **at, size_t size, cudaStream_t stream);
template <class T>
cudaError_t cudaMallocFromPoolAsync(T **at, size_t size, cudaMemPool_t pool, cudaStream_t stream);
template <class T>
cudaError_t cudaMallocAsync(T **at, size_t size, cudaMemPool_t pool, cudaStream_t stream);
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *at, size_t length = 0,
                                     unsigned flags = cudaMemAttachSingle);
template <class T> cudaError_t cudaMallocPitch(T **at, size_t *pitch, size_t width, size_t height);
template <class T> cudaError_t cudaHostAlloc(T **at, size_t size, unsigned flags);
template <class T> cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags);

cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags);

/* ---- Variables of the device, by themselves and not by address ---- */

template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size, size_t offset = 0,
                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                                 enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream = 0);
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream = 0);
template <class T> cudaError_t cudaGetSymbolAddress(void **at, const T &symbol);
template <class T> cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol);

/* ---- Kernels by their type. They have bodies, since a type may be that of a lambda ---- */

template <class T>
cudaError_t cudaLaunchKernel(T kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                             cudaStream_t stream = 0)
{ return cudaSuccess; }
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared = 0, cudaStream_t stream = 0)
{ return cudaSuccess; }
template <class T>
cudaError_t cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value)
{ return cudaSuccess; }
template <class T>
cudaError_t cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config)
{ return cudaSuccess; }
template <class T> cudaError_t cudaFuncGetName(const char **name, T *kernel)
{ return cudaSuccess; }
template <class T> cudaError_t cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache config)
{ return cudaSuccess; }
template <class T> cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, T *kernel)
{ return cudaSuccess; }
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int block_size,
                                                          size_t shared)
{ return cudaSuccess; }
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *least_grid, int *block, T kernel,
                                               size_t shared = 0, int block_limit = 0)
{ return cudaSuccess; }
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *least_grid, int *block, T kernel,
                                                        size_t shared = 0, int block_limit = 0,
                                                        unsigned flags = 0)
{ return cudaSuccess; }
template <class Size, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *least_grid, int *block, T kernel,
                                                           Size shared_of_block,
                                                           int block_limit = 0)
{ return cudaSuccess; }

template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel,
                                                                   int block_size, size_t shared,
                                                                   unsigned flags)
{ return cudaSuccess; }
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, T *kernel, int blocks,
                                                      int block_size)
{ return cudaSuccess; }
template <class T>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, T *kernel,
                                                 const cudaLaunchConfig_t *config)
{ return cudaSuccess; }
template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(int *count, T *kernel,
                                           const cudaLaunchConfig_t *config)
{ return cudaSuccess; }
template <class... Wanted, class... Given>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Wanted...),
                               Given &&...given)
{ return cudaSuccess; }

/* The form of before CUDA 12 says where an error is. */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *run, cudaGraph_t graph, cudaGraphNode_t *bad,
                                 char *log, size_t log_size);

/* ---- Small makers ---- */

struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth);
struct cudaPos make_cudaPos(size_t x, size_t y, size_t z);
struct cudaPitchedPtr make_cudaPitchedPtr(void *at, size_t pitch, size_t xsize, size_t ysize);
template <class T> struct cudaChannelFormatDesc cudaCreateChannelDesc(void);

#endif
#endif
