/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for the CUDA Toolkit's header of this name: the runtime API and its C++ forms, for
 * clang without the toolkit.
 *
 * A C++ form only calls a C function. It is inlined without lines of its own, so that a call has
 * the student's line.
 *
 * nvcc puts its cuda_runtime.h in front of every file, and with it some C headers and <utility>.
 * Programs have come to lean on that, so this one is put in front too and includes the same. In
 * cudalab's own build of its kernels only cudalab_device.h is in front.
 */
#ifndef CUDALAB_CUDA_RUNTIME_H
#define CUDALAB_CUDA_RUNTIME_H
#ifndef __CUDACC_RTC__

/* nvcc says so of itself, and files ask for it. A source of plain C++ gets to know none of it. */
#ifndef CUDALAB_PLAIN_CXX
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#endif
#define __CUDA_API_VER_MAJOR__ 13
#define __CUDA_API_VER_MINOR__ 0
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define CUDALAB_HOST_FN __inline__ __attribute__((host, always_inline, nodebug))

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if __cplusplus >= 201103L && __has_include(<utility>) /* a library of C++ is installed */
#include <utility>
#endif

#include "cuda_runtime_api.h"
#include "vector_types.h"
#include "cudalab_host_math.h"
#include "cudalab_host_launch.h"

/* ---- Typed forms of functions that take void ** ---- */

CUDALAB_HOST_FN cudaError_t cudaMallocHost(void **at, size_t size, unsigned flags)
{ return cudaHostAlloc(at, size, flags); }

template <class T> CUDALAB_HOST_FN cudaError_t cudaMalloc(T **at, size_t size)
{ return cudaMalloc((void **)at, size); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaMallocHost(T **at, size_t size, unsigned flags = 0)
{ return cudaHostAlloc((void **)at, size, flags); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaMallocManaged(T **at, size_t size,
                                              unsigned flags = cudaMemAttachGlobal)
{ return cudaMallocManaged((void **)at, size, flags); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaMallocAsync(T **at, size_t size, cudaStream_t stream)
{ return cudaMallocAsync((void **)at, size, stream); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaMallocFromPoolAsync(T **at, size_t size, cudaMemPool_t pool,
                                                    cudaStream_t stream)
{ return cudaMallocFromPoolAsync((void **)at, size, pool, stream); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaMallocAsync(T **at, size_t size, cudaMemPool_t pool,
                                            cudaStream_t stream)
{ return cudaMallocFromPoolAsync((void **)at, size, pool, stream); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *at, size_t length = 0,
                                                     unsigned flags = cudaMemAttachSingle)
{ return cudaStreamAttachMemAsync(stream, (void *)at, length, flags); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaMallocPitch(T **at, size_t *pitch, size_t width, size_t height)
{ return cudaMallocPitch((void **)at, pitch, width, height); }
template <class T> CUDALAB_HOST_FN cudaError_t cudaHostAlloc(T **at, size_t size, unsigned flags)
{ return cudaHostAlloc((void **)at, size, flags); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags)
{ return cudaHostGetDevicePointer((void **)device, host, flags); }

CUDALAB_HOST_FN cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{ return cudaEventCreateWithFlags(event, flags); }

/* ---- Variables of the device, by themselves and not by address ---- */

#define CUDALAB_SYMBOL(symbol) ((const void *)__builtin_addressof(symbol))
template <class T>
CUDALAB_HOST_FN cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size,
                                               size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{ return cudaMemcpyToSymbol(CUDALAB_SYMBOL(symbol), from, size, offset, kind); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size,
                                                 size_t offset = 0,
                                                 enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{ return cudaMemcpyFromSymbol(to, CUDALAB_SYMBOL(symbol), size, offset, kind); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size,
                                                    size_t offset, enum cudaMemcpyKind kind,
                                                    cudaStream_t stream = 0)
{ return cudaMemcpyToSymbolAsync(CUDALAB_SYMBOL(symbol), from, size, offset, kind, stream); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size,
                                                      size_t offset, enum cudaMemcpyKind kind,
                                                      cudaStream_t stream = 0)
{ return cudaMemcpyFromSymbolAsync(to, CUDALAB_SYMBOL(symbol), size, offset, kind, stream); }
template <class T> CUDALAB_HOST_FN cudaError_t cudaGetSymbolAddress(void **at, const T &symbol)
{ return cudaGetSymbolAddress(at, CUDALAB_SYMBOL(symbol)); }
template <class T> CUDALAB_HOST_FN cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{ return cudaGetSymbolSize(size, CUDALAB_SYMBOL(symbol)); }

/* The form of before CUDA 12 says where an error is. */
CUDALAB_HOST_FN cudaError_t cudaGraphInstantiate(cudaGraphExec_t *run, cudaGraph_t graph,
                                                 cudaGraphNode_t *bad, char *log, size_t log_size)
{
    if (bad)
        *bad = 0;
    if (log && log_size)
        *log = 0;
    return cudaGraphInstantiate(run, graph, 0);
}

/* ---- Small makers ---- */

CUDALAB_HOST_FN struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{ return (struct cudaExtent){width, height, depth}; }
CUDALAB_HOST_FN struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{ return (struct cudaPos){x, y, z}; }
CUDALAB_HOST_FN struct cudaPitchedPtr make_cudaPitchedPtr(void *at, size_t pitch, size_t xsize,
                                                          size_t ysize)
{ return (struct cudaPitchedPtr){at, pitch, xsize, ysize}; }

/* A channel format: what one element of a texture is, by its type. */
CUDALAB_HOST_FN struct cudaChannelFormatDesc cudaCreateChannelDescHalf(void)
{ return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat); }
CUDALAB_HOST_FN struct cudaChannelFormatDesc cudaCreateChannelDescHalf2(void)
{ return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat); }
CUDALAB_HOST_FN struct cudaChannelFormatDesc cudaCreateChannelDescHalf4(void)
{ return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat); }

template <class T> struct cudaChannelFormatDesc cudaCreateChannelDesc(void)
{ return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone); }
#define CUDALAB_CHANNEL(type, bits_x, bits_y, bits_z, bits_w, kind)                            \
    template <> CUDALAB_HOST_FN struct cudaChannelFormatDesc cudaCreateChannelDesc<type>(void) \
    { return cudaCreateChannelDesc(bits_x, bits_y, bits_z, bits_w, cudaChannelFormatKind##kind); }
#define CUDALAB_CHANNELS(name, type, bits, kind)                                               \
    CUDALAB_CHANNEL(type, bits, 0, 0, 0, kind)                                                 \
    CUDALAB_CHANNEL(name##1, bits, 0, 0, 0, kind)                                              \
    CUDALAB_CHANNEL(name##2, bits, bits, 0, 0, kind)                                           \
    CUDALAB_CHANNEL(name##3, bits, bits, bits, 0, kind)                                        \
    CUDALAB_CHANNEL(name##4, bits, bits, bits, bits, kind)
CUDALAB_CHANNEL(char, 8, 0, 0, 0, Signed)
CUDALAB_CHANNELS(char, signed char, 8, Signed) CUDALAB_CHANNELS(uchar, unsigned char, 8, Unsigned)
CUDALAB_CHANNELS(short, short, 16, Signed) CUDALAB_CHANNELS(ushort, unsigned short, 16, Unsigned)
CUDALAB_CHANNELS(int, int, 32, Signed) CUDALAB_CHANNELS(uint, unsigned, 32, Unsigned)
CUDALAB_CHANNELS(float, float, 32, Float)
#undef CUDALAB_CHANNEL
#undef CUDALAB_CHANNELS

#endif
#endif
