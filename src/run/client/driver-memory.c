/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory by the driver API: getting it, copying, filling, and what is known of an address.
 */
#include "run/client/driver.h"
#include "run/memory.h"

enum { PITCH_UNIT = 512 };

/* ---- getting it ------------------------------------------------------------------------ */

/* The first number of the request is how many bytes it is about. */
static CUresult allocate(const char *name, uint64_t *at, struct run_message m)
{
    if (!at || !m.number[0]) {
        CUresult error = run_driver_ready();
        return run_driver_failed(name, error ? error : CUDA_ERROR_INVALID_VALUE);
    }
    CUresult error = run_driver(name, &m);
    if (!error)
        *at = m.number[0];
    return error;
}

static CUresult allocate_for_device(const char *name, CUdeviceptr *at, struct run_message m)
{
    uint64_t where = 0;
    CUresult error = allocate(name, at ? &where : NULL, m);
    if (!error)
        *at = where;
    return error;
}

static CUresult allocate_on_device(const char *name, CUdeviceptr *at, size_t bytes)
{
    return allocate_for_device(name, at,
                               REQUEST(ALLOCATE, bytes, MEMORY_DEVICE, 0, 0, RUN_NO_STREAM));
}

static CUresult allocate_on_host(const char *name, void **at, size_t bytes, unsigned flags)
{
    uint64_t where = 0;
    CUresult error = allocate(name, at ? &where : NULL,
                              REQUEST(ALLOCATE, bytes, MEMORY_PINNED, flags, 0, RUN_NO_STREAM));
    if (!error)
        *at = pointer_of(where);
    return error;
}

API CUresult cuMemAlloc_v2(CUdeviceptr *at, size_t bytes)
{
    return allocate_on_device(__func__, at, bytes);
}

API CUresult cuMemAllocAsync(CUdeviceptr *at, size_t bytes, CUstream stream)
{
    return allocate_for_device(__func__, at,
                               REQUEST(ALLOCATE, bytes, MEMORY_DEVICE, 0,
                                       number_of(run_current_pool()), number_of(stream)));
}

API CUresult cuMemAllocManaged(CUdeviceptr *at, size_t bytes, unsigned flags)
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    return allocate_for_device(__func__, at,
                               REQUEST(ALLOCATE, bytes, MEMORY_MANAGED, 0, 0, RUN_NO_STREAM));
}

API CUresult cuMemAllocPitch_v2(CUdeviceptr *at, size_t *pitch, size_t width, size_t height,
                                unsigned element)
{
    if (!pitch || (element != 4 && element != 8 && element != 16))
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    *pitch = (width + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT;
    return allocate_on_device(__func__, at, *pitch * height);
}

API CUresult cuMemAllocHost_v2(void **at, size_t bytes)
{
    return allocate_on_host(__func__, at, bytes, 0);
}

API CUresult cuMemHostAlloc(void **at, size_t bytes, unsigned flags)
{
    enum { KNOWN = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined };
    return flags & ~(unsigned)KNOWN ? run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE)
                                    : allocate_on_host(__func__, at, bytes, flags);
}

API CUresult cuMemFree_v2(CUdeviceptr at)
{
    return DRIVE(RELEASE, at, MEMORY_DEVICE, RUN_NO_STREAM);
}

API CUresult cuMemFreeAsync(CUdeviceptr at, CUstream stream)
{
    return DRIVE(RELEASE, at, MEMORY_DEVICE, number_of(stream));
}

API CUresult cuMemFreeHost(void *at)
{
    return DRIVE(RELEASE, number_of(at), MEMORY_PINNED, RUN_NO_STREAM);
}

/* ---- what is known --------------------------------------------------------------------- */

static CUresult look_up(const char *name, uint64_t at, struct run_message *m)
{
    *m = REQUEST(POINTER, at);
    return run_driver(name, m);
}

API CUresult cuMemGetAddressRange_v2(CUdeviceptr *from, size_t *bytes, CUdeviceptr at)
{
    struct run_message m;
    CUresult error = look_up(__func__, at, &m);
    if (!error && m.number[0] == MEMORY_NONE)
        error = run_driver_failed(__func__, CUDA_ERROR_NOT_FOUND);
    if (!error && from)
        *from = m.number[1];
    if (!error && bytes)
        *bytes = (size_t)m.number[2];
    return error;
}

API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *host, unsigned flags)
{
    struct run_message m;
    CUresult error = look_up(__func__, number_of(host), &m);
    const bool is_mapped = m.number[0] == MEMORY_PINNED || m.number[0] == MEMORY_MANAGED;
    if (!error && (!out || flags || !is_mapped))
        error = run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    if (!error)
        *out = number_of(host);
    return error;
}

enum pointer_attribute {
    OF_CONTEXT = 1, OF_TYPE, OF_DEVICE_POINTER, OF_HOST_POINTER, OF_MANAGED = 8, OF_ORDINAL,
    OF_START = 11, OF_BYTES, OF_MAPPED
};

/* False: this attribute is not served. */
static bool put_attribute(const struct run_message *m, uint64_t at, int which, void *out)
{
    const bool device = m->number[0] == MEMORY_DEVICE, pinned = m->number[0] == MEMORY_PINNED;
    switch (which) {
    case OF_CONTEXT: *(CUcontext *)out = run_driver_context(); return true;
    case OF_TYPE: *(unsigned *)out = pinned ? DRIVER_HOST : DRIVER_DEVICE; return true;
    case OF_DEVICE_POINTER: *(CUdeviceptr *)out = at; return true;
    case OF_HOST_POINTER: *(void **)out = device ? NULL : pointer_of(at); return true;
    case OF_MANAGED: *(unsigned *)out = m->number[0] == MEMORY_MANAGED; return true;
    case OF_ORDINAL: *(int *)out = 0; return true;
    case OF_START: *(CUdeviceptr *)out = m->number[1]; return true;
    case OF_BYTES: *(size_t *)out = (size_t)m->number[2]; return true;
    case OF_MAPPED: *(unsigned *)out = 1; return true;
    default: return false;
    }
}

API CUresult cuPointerGetAttribute(void *out, int which, CUdeviceptr at)
{
    struct run_message m;
    CUresult error = look_up(__func__, at, &m);
    if (error)
        return error;
    if (!out || m.number[0] == MEMORY_NONE)
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    return put_attribute(&m, at, which, out) ? CUDA_SUCCESS : run_driver_lacking(__func__);
}

/* For an address that CUDA does not know each answer is 0, and this is no error. */
API CUresult cuPointerGetAttributes(unsigned count, const int *which, void **out, CUdeviceptr at)
{
    struct run_message m;
    CUresult error = look_up(__func__, at, &m);
    for (unsigned i = 0; i < count && !error; i++) {
        if (m.number[0] != MEMORY_NONE) {
            if (!put_attribute(&m, at, which[i], out[i]))
                error = run_driver_lacking(__func__);
            continue;
        }
        bool is_long = which[i] == OF_CONTEXT || which[i] == OF_DEVICE_POINTER ||
                       which[i] == OF_HOST_POINTER || which[i] == OF_START || which[i] == OF_BYTES;
        if (is_long)
            *(uint64_t *)out[i] = 0;
        else
            *(unsigned *)out[i] = which[i] == OF_ORDINAL ? (unsigned)-2 : 0;
    }
    return error;
}

/* ---- copying --------------------------------------------------------------------------- */

static CUresult copy(const char *name, uint64_t to, uint64_t from, size_t n,
                     enum cudaMemcpyKind kind, CUstream stream, bool waits)
{
    CUresult error = run_driver_ready();
    return error ? run_driver_failed(name, error)
                 : (CUresult)run_copy_row(name, pointer_of(to), pointer_of(from), n, kind, stream,
                                          waits);
}

API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t n)
{
    return copy(__func__, to, from, n, cudaMemcpyDefault, NULL, true);
}

API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
    return copy(__func__, to, from, n, cudaMemcpyDefault, stream, false);
}

API CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t n)
{
    return copy(__func__, to, number_of(from), n, cudaMemcpyHostToDevice, NULL, true);
}

API CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t n)
{
    return copy(__func__, number_of(to), from, n, cudaMemcpyDeviceToHost, NULL, true);
}

API CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t n)
{
    return copy(__func__, to, from, n, cudaMemcpyDeviceToDevice, NULL, true);
}

API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t n, CUstream stream)
{
    return copy(__func__, to, number_of(from), n, cudaMemcpyHostToDevice, stream, false);
}

API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t n, CUstream stream)
{
    return copy(__func__, number_of(to), from, n, cudaMemcpyDeviceToHost, stream, false);
}

API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
    return copy(__func__, to, from, n, cudaMemcpyDeviceToDevice, stream, false);
}

API CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here,
                          size_t n)
{
    (void)there, (void)here;
    return copy(__func__, to, from, n, cudaMemcpyDeviceToDevice, NULL, true);
}

API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here,
                               size_t n, CUstream stream)
{
    (void)there, (void)here;
    return copy(__func__, to, from, n, cudaMemcpyDeviceToDevice, stream, false);
}

/* ---- filling --------------------------------------------------------------------------- */

/* `width` counts elements of so many bytes. */
static CUresult fill(const char *name, CUdeviceptr to, uint64_t value, unsigned element,
                     size_t width, size_t height, size_t pitch, CUstream stream)
{
    if (to % element || (height > 1 && width * element > pitch))
        return run_driver_failed(name, CUDA_ERROR_INVALID_VALUE);
    return run_driver(name, &REQUEST(FILL, to, value, width * element, height, pitch,
                                     number_of(stream), false, element));
}

#define FILLS(bits, type)                                                                         \
    API CUresult cuMemsetD##bits##_v2(CUdeviceptr to, type value, size_t n)                       \
    {                                                                                             \
        return fill(__func__, to, value, bits / 8, n, 1, 0, NULL);                                \
    }                                                                                             \
    API CUresult cuMemsetD##bits##Async(CUdeviceptr to, type value, size_t n, CUstream stream)    \
    {                                                                                             \
        return fill(__func__, to, value, bits / 8, n, 1, 0, stream);                              \
    }                                                                                             \
    API CUresult cuMemsetD2D##bits##_v2(CUdeviceptr to, size_t pitch, type value, size_t width,   \
                                        size_t height)                                            \
    {                                                                                             \
        return fill(__func__, to, value, bits / 8, width, height, pitch, NULL);                   \
    }                                                                                             \
    API CUresult cuMemsetD2D##bits##Async(CUdeviceptr to, size_t pitch, type value, size_t width, \
                                          size_t height, CUstream stream)                         \
    {                                                                                             \
        return fill(__func__, to, value, bits / 8, width, height, pitch, stream);                 \
    }
FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, unsigned)
