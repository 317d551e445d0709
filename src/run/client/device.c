/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device: there is one, number 0.
 */
#include "run/client/client.h"

#include <stdio.h>

enum { CUDA_VERSION = 13000 };

API cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

API cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

API cudaError_t cudaSetDevice(int device)
{
    if (device != 0)
        return run_failed(__func__, cudaErrorInvalidDevice);
    run_runtime_is_here();
    return cudaSuccess;
}

API cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    (void)device_flags, (void)flags;
    return device == 0 ? cudaSuccess : run_failed(__func__, cudaErrorInvalidDevice);
}

API cudaError_t cudaSetDeviceFlags(unsigned flags) { (void)flags; return cudaSuccess; }

API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int device)
{
    if (device != 0)
        return run_failed(__func__, cudaErrorInvalidDevice);
    return run_call_with(__func__, &REQUEST(PROPERTIES), NULL, 0, out, sizeof *out);
}

API cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *out, int device)
{
    return cudaGetDeviceProperties(out, device);
}

API cudaError_t cudaDeviceGetAttribute(int *out, enum cudaDeviceAttr attribute, int device)
{
    if (device != 0)
        return run_failed(__func__, cudaErrorInvalidDevice);
    struct run_message r = REQUEST(ATTRIBUTE, (uint64_t)attribute);
    cudaError_t error = run_call(__func__, &r);
    if (!error)
        *out = (int)(int64_t)r.number[0];
    return error;
}

API cudaError_t cudaDeviceSynchronize(void) { return CALL(DEVICE_WAIT); }
API cudaError_t cudaThreadSynchronize(void) { return CALL(DEVICE_WAIT); }
API cudaError_t cudaDeviceReset(void) { return CALL(DEVICE_RESET); }
API cudaError_t cudaThreadExit(void) { return CALL(DEVICE_RESET); }

API cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDA_VERSION;
    return cudaSuccess;
}

API cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDA_VERSION;
    return cudaSuccess;
}

API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache c) { (void)c; return cudaSuccess; }

API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    (void)device, (void)peer;
    *can = 0;
    return cudaSuccess;
}

API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)peer, (void)flags;
    return run_failed(__func__, cudaErrorInvalidDevice);
}

API cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device)
{
    if (device != 0 || length < 13)
        return run_failed(__func__, cudaErrorInvalidValue);
    snprintf(text, (size_t)length, "0000:00:00.0");
    return cudaSuccess;
}

API cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
API cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                       enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* Managed memory: advice changes no result. */
API cudaError_t cudaMemPrefetchAsync(const void *at, size_t n, struct cudaMemLocation to,
                                     unsigned flags, cudaStream_t stream)
{
    (void)at, (void)n, (void)to, (void)flags, (void)stream;
    return cudaSuccess;
}

API cudaError_t cudaMemAdvise(const void *at, size_t n, enum cudaMemoryAdvise advice,
                              struct cudaMemLocation to)
{
    (void)at, (void)n, (void)advice, (void)to;
    return cudaSuccess;
}
