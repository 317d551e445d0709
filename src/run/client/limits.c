/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Settings of the device that a program makes. Those of caches and banks change no result, so they
 * are only kept.
 */
#include "run/client/client.h"

#include <stdio.h>
#include <string.h>

static struct {
    enum cudaFuncCache cache;
    enum cudaSharedMemConfig banks;
    unsigned flags;
} settings;

API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    return CALL(LIMIT, limit, value, true);
}

API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    struct run_message m = REQUEST(LIMIT, limit);
    if (!value)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &m);
    if (!error)
        *value = (size_t)m.number[0];
    return error;
}

API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache c)
{
    if ((unsigned)c > cudaFuncCachePreferEqual)
        return run_failed(__func__, cudaErrorInvalidValue);
    settings.cache = c;
    return cudaSuccess;
}

API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *out)
{
    if (!out)
        return run_failed(__func__, cudaErrorInvalidValue);
    *out = settings.cache;
    return cudaSuccess;
}

/* The names of CUDA 11. */
API cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

API cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
    return cudaDeviceGetLimit(value, limit);
}

API cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache c)
{
    return cudaDeviceSetCacheConfig(c);
}

API cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *out)
{
    return cudaDeviceGetCacheConfig(out);
}

/* Devices have had numbers of 64 bits for long. */
API cudaError_t cudaSetDoubleForDevice(double *d) { (void)d; return cudaSuccess; }
API cudaError_t cudaSetDoubleForHost(double *d) { (void)d; return cudaSuccess; }

API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig c)
{
    if ((unsigned)c > cudaSharedMemBankSizeEightByte)
        return run_failed(__func__, cudaErrorInvalidValue);
    return cudaSuccess;
}

/* Banks have four bytes since 5.0, whatever is asked for. */
API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *out)
{
    if (!out)
        return run_failed(__func__, cudaErrorInvalidValue);
    *out = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

API cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }

API cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    enum { KNOWN = cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | 0x80 };
    const unsigned how = flags & cudaDeviceScheduleMask;
    if ((flags & ~(unsigned)KNOWN) || (how & (how - 1)))
        return run_failed(__func__, cudaErrorInvalidValue);
    settings.flags = flags;
    return cudaSuccess;
}

/* All memory of the host is mapped with one address space. */
API cudaError_t cudaGetDeviceFlags(unsigned *out)
{
    if (!out)
        return run_failed(__func__, cudaErrorInvalidValue);
    *out = settings.flags | cudaDeviceMapHost;
    return cudaSuccess;
}

API cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    if (!device || !wanted)
        return run_failed(__func__, cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

API cudaError_t cudaSetValidDevices(int *devices, int count)
{
    for (int i = 0; i < count; i++)
        if (!devices || devices[i] != 0)
            return run_failed(__func__, cudaErrorInvalidDevice);
    return cudaSuccess;
}

/* The place of the card on the bus, as cudaDeviceGetPCIBusId() writes it. */
API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    unsigned domain = 0, bus, place, function = 0;
    if (!device || !text)
        return run_failed(__func__, cudaErrorInvalidValue);
    if (sscanf(text, "%x:%x:%x.%x", &domain, &bus, &place, &function) < 3) {
        domain = function = 0;
        if (sscanf(text, "%x:%x.%x", &bus, &place, &function) < 2)
            return run_failed(__func__, cudaErrorInvalidValue);
    }
    if (domain || bus || place || function)
        return run_failed(__func__, cudaErrorInvalidDevice);
    *device = 0;
    return cudaSuccess;
}

/* ---- other devices, which are not there ------------------------------------------------ */

API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (!can)
        return run_failed(__func__, cudaErrorInvalidValue);
    if (device != 0 || peer != 0)
        return run_failed(__func__, cudaErrorInvalidDevice);
    *can = 0;
    return cudaSuccess;
}

API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    return run_failed(__func__, flags ? cudaErrorInvalidValue
                                : peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

API cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    return run_failed(__func__, peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}

API cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr id, int from, int to)
{
    (void)id, (void)from, (void)to; /* a device is no peer of its own */
    return run_failed(__func__, value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}
