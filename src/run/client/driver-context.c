/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device and its contexts, as the driver API has them. All contexts share one device: what one
 * of them has allocated, the others can use. The memory is given back with the last context.
 */
#include "run/client/driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NESTED = 64 }; /* contexts of a thread */

struct CUctx_st {
    bool is_destroyed;
    unsigned flags;
    unsigned long long id;
};

static struct {
    pthread_mutex_t lock;
    bool begun;            /* by cuInit(), or by the runtime */
    bool runtime;          /* it has used the primary context */
    unsigned retained;     /* how often the primary context is */
    unsigned made;         /* other contexts that are there */
    unsigned long long last_id;
    struct CUctx_st primary;
} contexts = {.lock = PTHREAD_MUTEX_INITIALIZER, .last_id = 1, .primary = {.id = 1}};

static __thread struct { CUcontext all[NESTED]; unsigned count; bool runtime; } current;

/* ---- which one is current -------------------------------------------------------------- */

/* The runtime makes the primary context current where there is none. */
void run_runtime_is_here(void)
{
    contexts.begun = contexts.runtime = current.runtime = true;
}

bool run_driver_is_begun(void)
{
    return contexts.begun;
}

CUcontext run_driver_context(void)
{
    if (current.count)
        return current.all[current.count - 1];
    return current.runtime && contexts.runtime ? &contexts.primary : NULL;
}

CUresult run_driver_ready(void)
{
    const struct CUctx_st *c = run_driver_context();
    return !contexts.begun ? CUDA_ERROR_NOT_INITIALIZED
           : !c ? CUDA_ERROR_INVALID_CONTEXT
           : c->is_destroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
}

static CUresult check_device(const char *name, CUdevice device)
{
    return !contexts.begun ? run_driver_failed(name, CUDA_ERROR_NOT_INITIALIZED)
           : device ? run_driver_failed(name, CUDA_ERROR_INVALID_DEVICE) : CUDA_SUCCESS;
}

static CUresult push(const char *name, CUcontext c)
{
    if (current.count == NESTED)
        return run_driver_failed(name, CUDA_ERROR_OUT_OF_MEMORY);
    current.all[current.count++] = c;
    return CUDA_SUCCESS;
}

/* Nobody uses the device any more, so all its memory is given back. */
static CUresult end_unused(const char *name)
{
    if (contexts.made || contexts.retained || contexts.runtime)
        return (CUresult)run_call(name, &REQUEST(DEVICE_WAIT));
    return (CUresult)run_call(name, &REQUEST(DEVICE_RESET));
}

/* ---- the driver ------------------------------------------------------------------------ */

API CUresult cuInit(unsigned flags)
{
    struct run_message m = {.what = RUN_ATTRIBUTE};
    if (flags)
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    cudaError_t error = run_ask(&m, NULL, 0, NULL, 0);
    if (error)
        return run_driver_failed(__func__, (CUresult)error);
    contexts.begun = true;
    return CUDA_SUCCESS;
}

API CUresult cuDriverGetVersion(int *version)
{
    return (CUresult)cudaDriverGetVersion(version);
}

/* ---- the device ------------------------------------------------------------------------ */

API CUresult cuDeviceGetCount(int *count)
{
    CUresult error = check_device(__func__, 0);
    if (!error)
        *count = 1;
    return error;
}

API CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    CUresult error = check_device(__func__, ordinal);
    if (!error)
        *device = ordinal;
    return error;
}

static CUresult properties(const char *name, struct cudaDeviceProp *out, CUdevice device)
{
    CUresult error = check_device(name, device);
    return error ? error
                 : (CUresult)run_call_with(name, &REQUEST(PROPERTIES), NULL, 0, out, sizeof *out);
}

API CUresult cuDeviceGetName(char *name, int room, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult error = properties(__func__, &p, device);
    if (!error && (!name || room <= 0))
        error = run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    if (!error)
        snprintf(name, (size_t)room, "%s", p.name);
    return error;
}

API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult error = properties(__func__, &p, device);
    if (!error)
        *bytes = p.totalGlobalMem;
    return error;
}

API CUresult cuDeviceGetUuid_v2(cudaUUID_t *uuid, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult error = properties(__func__, &p, device);
    if (!error)
        *uuid = p.uuid;
    return error;
}

API CUresult cuDeviceGetUuid(cudaUUID_t *uuid, CUdevice device)
{
    return cuDeviceGetUuid_v2(uuid, device);
}

API CUresult cuDeviceGetAttribute(int *out, int attribute, CUdevice device)
{
    CUresult error = check_device(__func__, device);
    struct run_message m = REQUEST(ATTRIBUTE, (uint64_t)attribute);
    if (!error && (!out || attribute <= 0))
        error = run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    if (!error)
        error = (CUresult)run_call(__func__, &m);
    if (!error)
        *out = (int)(int64_t)m.number[0];
    return error;
}

API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult error = properties(__func__, &p, device);
    if (!error) {
        *major = p.major;
        *minor = p.minor;
    }
    return error;
}

/* As old programs ask: CUdevprop. */
struct old_properties {
    int threads, block[3], grid[3], shared, constant, warp, pitch, registers, clock, alignment;
};

API CUresult cuDeviceGetProperties(struct old_properties *out, CUdevice device)
{
    struct cudaDeviceProp p;
    int clock = 0;
    CUresult error = properties(__func__, &p, device);
    if (!error)
        error = cuDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
    if (error)
        return error;
    *out = (struct old_properties){
        .threads = p.maxThreadsPerBlock, .shared = (int)p.sharedMemPerBlock,
        .constant = (int)p.totalConstMem, .warp = p.warpSize, .pitch = (int)p.memPitch,
        .registers = p.regsPerBlock, .clock = clock, .alignment = (int)p.textureAlignment};
    memcpy(out->block, p.maxThreadsDim, sizeof out->block);
    memcpy(out->grid, p.maxGridSize, sizeof out->grid);
    return CUDA_SUCCESS;
}

/* ---- the primary context --------------------------------------------------------------- */

API CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice device)
{
    CUresult error = check_device(__func__, device);
    if (!error && !out)
        error = run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    if (error)
        return error;
    pthread_mutex_lock(&contexts.lock);
    contexts.retained++;
    contexts.primary.is_destroyed = false;
    pthread_mutex_unlock(&contexts.lock);
    *out = &contexts.primary;
    return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    CUresult error = check_device(__func__, device);
    if (error)
        return error;
    pthread_mutex_lock(&contexts.lock);
    bool was = contexts.retained > 0;
    contexts.retained -= was;
    bool last = was && !contexts.retained && !contexts.runtime;
    contexts.primary.is_destroyed = last;
    pthread_mutex_unlock(&contexts.lock);
    if (!was)
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_CONTEXT);
    return last ? end_unused(__func__) : CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    CUresult error = check_device(__func__, device);
    return error ? error : (CUresult)run_call(__func__, &REQUEST(DEVICE_RESET));
}

API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    CUresult error = check_device(__func__, device);
    if (error)
        return error;
    *flags = contexts.primary.flags;
    *active = contexts.retained > 0 || contexts.runtime;
    return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags)
{
    CUresult error = check_device(__func__, device);
    if (!error)
        contexts.primary.flags = flags;
    return error;
}

/* ---- other contexts -------------------------------------------------------------------- */

static CUresult make(const char *name, CUcontext *out, unsigned flags, CUdevice device)
{
    CUresult error = check_device(name, device);
    if (!error && !out)
        error = run_driver_failed(name, CUDA_ERROR_INVALID_VALUE);
    if (error)
        return error;
    CUcontext c = calloc(1, sizeof *c);
    if (!c)
        return run_driver_failed(name, CUDA_ERROR_OUT_OF_MEMORY);
    pthread_mutex_lock(&contexts.lock);
    *c = (struct CUctx_st){.flags = flags, .id = ++contexts.last_id};
    contexts.made++;
    pthread_mutex_unlock(&contexts.lock);
    *out = c;
    return push(name, c);
}

API CUresult cuCtxCreate_v2(CUcontext *out, unsigned flags, CUdevice device)
{
    return make(__func__, out, flags, device);
}

API CUresult cuCtxCreate_v3(CUcontext *out, const void *affinity, int count, unsigned flags,
                            CUdevice device)
{
    return affinity && count ? run_driver_lacking("cuCtxCreate with an affinity")
                             : make(__func__, out, flags, device);
}

API CUresult cuCtxCreate_v4(CUcontext *out, const void *params, unsigned flags, CUdevice device)
{
    static const char none[32];
    return params && memcmp(params, none, sizeof none) != 0
               ? run_driver_lacking("cuCtxCreate with parameters")
               : make(__func__, out, flags, device);
}

/* The struct stays: a thread may have it current, and learns so that it is gone. */
API CUresult cuCtxDestroy_v2(CUcontext c)
{
    if (!contexts.begun)
        return run_driver_failed(__func__, CUDA_ERROR_NOT_INITIALIZED);
    if (!c || c == &contexts.primary || c->is_destroyed)
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_CONTEXT);
    pthread_mutex_lock(&contexts.lock);
    c->is_destroyed = true;
    contexts.made--;
    pthread_mutex_unlock(&contexts.lock);
    if (current.count && current.all[current.count - 1] == c)
        current.count--;
    return end_unused(__func__);
}

API CUresult cuCtxPushCurrent_v2(CUcontext c)
{
    if (!contexts.begun)
        return run_driver_failed(__func__, CUDA_ERROR_NOT_INITIALIZED);
    return c ? push(__func__, c) : run_driver_failed(__func__, CUDA_ERROR_INVALID_CONTEXT);
}

API CUresult cuCtxPopCurrent_v2(CUcontext *out)
{
    CUcontext c = run_driver_context();
    if (!contexts.begun || !c)
        return run_driver_failed(__func__, contexts.begun ? CUDA_ERROR_INVALID_CONTEXT
                                                          : CUDA_ERROR_NOT_INITIALIZED);
    if (current.count)
        current.count--;
    else
        current.runtime = false;
    if (out)
        *out = c;
    return CUDA_SUCCESS;
}

/* It takes the place of the current one; NULL takes that away. */
API CUresult cuCtxSetCurrent(CUcontext c)
{
    if (!contexts.begun)
        return run_driver_failed(__func__, CUDA_ERROR_NOT_INITIALIZED);
    if (c && c->is_destroyed)
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_CONTEXT);
    if (current.count)
        current.count--;
    else
        current.runtime = false;
    return c ? push(__func__, c) : CUDA_SUCCESS;
}

API CUresult cuCtxGetCurrent(CUcontext *out)
{
    if (!contexts.begun)
        return run_driver_failed(__func__, CUDA_ERROR_NOT_INITIALIZED);
    *out = run_driver_context();
    return CUDA_SUCCESS;
}

API CUresult cuCtxGetDevice(CUdevice *out)
{
    CUresult error = run_driver_ready();
    if (error)
        return run_driver_failed(__func__, error);
    *out = 0;
    return CUDA_SUCCESS;
}

API CUresult cuCtxGetDevice_v2(CUdevice *out, CUcontext c)
{
    if (!c)
        return cuCtxGetDevice(out);
    *out = 0;
    return CUDA_SUCCESS;
}

API CUresult cuCtxGetFlags(unsigned *flags)
{
    CUresult error = run_driver_ready();
    if (error)
        return run_driver_failed(__func__, error);
    *flags = run_driver_context()->flags;
    return CUDA_SUCCESS;
}

API CUresult cuCtxSetFlags(unsigned flags)
{
    CUresult error = run_driver_ready();
    if (error)
        return run_driver_failed(__func__, error);
    run_driver_context()->flags = flags;
    return CUDA_SUCCESS;
}

API CUresult cuCtxGetId(CUcontext c, unsigned long long *id)
{
    CUresult error = c ? CUDA_SUCCESS : run_driver_ready();
    if (error)
        return run_driver_failed(__func__, error);
    *id = c ? c->id : run_driver_context()->id;
    return CUDA_SUCCESS;
}

API CUresult cuCtxSynchronize(void) { return DRIVE(DEVICE_WAIT); }

API CUresult cuCtxSynchronize_v2(CUcontext c)
{
    return c ? (CUresult)run_call(__func__, &REQUEST(DEVICE_WAIT)) : DRIVE(DEVICE_WAIT);
}

API CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
    (void)peer, (void)flags;
    return run_driver_failed(__func__, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
}

API CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    (void)peer;
    return run_driver_failed(__func__, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
}

API CUresult cuStreamGetCtx(CUstream s, CUcontext *out)
{
    CUresult error = run_driver_ready();
    (void)s;
    if (error || !out)
        return run_driver_failed(__func__, error ? error : CUDA_ERROR_INVALID_VALUE);
    *out = run_driver_context();
    return CUDA_SUCCESS;
}

API CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
API CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }
