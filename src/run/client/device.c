/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device: there is one, number 0.
 */
#include "run/client/client.h"

#include <stdio.h>

enum { CUDA_VERSION = 13000 };

API cudaError_t cudaGetDeviceCount(int *count)
{
    if (!count)
        return run_failed(__func__, cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}

API cudaError_t cudaGetDevice(int *device)
{
    if (!device)
        return run_failed(__func__, cudaErrorInvalidValue);
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

/* The answer is as long as the program's own struct, which depends on its toolkit. */
static cudaError_t properties(const char *name, void *out, bool is_second)
{
    enum { LONGEST = 2048 };
    return run_call_with(name, &REQUEST(PROPERTIES, is_second), NULL, 0, out, LONGEST);
}

API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int device)
{
    if (device != 0)
        return run_failed(__func__, cudaErrorInvalidDevice);
    return properties(__func__, out, false);
}

API cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *out, int device)
{
    if (device != 0)
        return run_failed(__func__, cudaErrorInvalidDevice);
    return properties(__func__, out, true);
}

static bool is_attribute(enum cudaDeviceAttr attribute)
{
#define KNOWN(name, number) case number: return true;
    switch ((int)attribute) {
        CUDALAB_ATTRIBUTES(KNOWN)
    default: return false;
    }
#undef KNOWN
}

API cudaError_t cudaDeviceGetAttribute(int *out, enum cudaDeviceAttr attribute, int device)
{
    if (!out || !is_attribute(attribute))
        return run_failed(__func__, cudaErrorInvalidValue);
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
    if (!version)
        return run_failed(__func__, cudaErrorInvalidValue);
    *version = CUDA_VERSION;
    return cudaSuccess;
}

/* It is that of the program, of which the major number is known. */
API cudaError_t cudaRuntimeGetVersion(int *version)
{
    const int toolkit = (int)run_toolkit() * 1000;
    if (!version)
        return run_failed(__func__, cudaErrorInvalidValue);
    *version = toolkit && toolkit < CUDA_VERSION ? toolkit : CUDA_VERSION;
    return cudaSuccess;
}

/* A program may ask for one of them only. */
API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}

API cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device)
{
    if (!text || device != 0 || length < 13)
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
