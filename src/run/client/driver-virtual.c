/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory whose addresses a program chooses: a range of addresses, memory without an address, and
 * the one mapped to the other. The memory is allocated when access to it is set, so that a kernel
 * that comes earlier is caught. Memory is mapped once, and whole.
 */
#include "run/client/driver.h"
#include "run/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The addresses lie above all that cudalab gives otherwise. */
#define FIRST_ADDRESS UINT64_C(0x00a000000000)
#define LAST_ADDRESS UINT64_C(0x010000000000)
enum { GRANULARITY = 2 << 20, READ_WRITE = 3, PINNED_TYPE = 1, DEVICE_LOCATION = 1 };

struct memory_location { int type, id; };
struct allocation_want {
    int type, handle_types;
    struct memory_location location;
    void *unused;
    unsigned char flags[8];
};
struct access_want { struct memory_location location; int flags; };

struct virtual_memory {
    uint64_t handle; /* 0: it is a range of addresses */
    uint64_t at, bytes;
    struct allocation_want want;
    bool is_mapped, is_open, is_released, was_mapped;
    struct virtual_memory *next;
};

static struct {
    pthread_mutex_t lock;
    struct virtual_memory *first;
    uint64_t next, last_handle;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .next = FIRST_ADDRESS};

static struct virtual_memory *range_at(uint64_t at, uint64_t bytes)
{
    struct virtual_memory *v = all.first;
    while (v && (v->handle || v->is_released || at < v->at || at - v->at > v->bytes ||
                 bytes > v->bytes - (at - v->at)))
        v = v->next;
    return v;
}

static struct virtual_memory *memory_of(uint64_t handle)
{
    struct virtual_memory *v = all.first;
    while (v && (v->handle != handle || v->is_released))
        v = v->next;
    return handle ? v : NULL;
}

/* The first memory that is mapped there; NULL: there is none. */
static struct virtual_memory *mapped_in(uint64_t at, uint64_t end)
{
    struct virtual_memory *first = NULL;
    for (struct virtual_memory *v = all.first; v; v = v->next)
        if (v->handle && v->is_mapped && v->at >= at && v->at < end &&
            (!first || v->at < first->at))
            first = v;
    return first;
}

static struct virtual_memory *mapped_at(uint64_t at)
{
    struct virtual_memory *v = all.first;
    while (v && (!v->handle || !v->is_mapped || at < v->at || at - v->at >= v->bytes))
        v = v->next;
    return v;
}

static struct virtual_memory *add(uint64_t bytes)
{
    struct virtual_memory *v = calloc(1, sizeof *v);
    if (v) {
        v->bytes = bytes;
        v->next = all.first;
        all.first = v;
    }
    return v;
}

static bool fits(uint64_t n) { return n && n % GRANULARITY == 0; }

/* Every function does its work under the lock, and then tells its error. */
static CUresult finish(const char *name, CUresult error)
{
    pthread_mutex_unlock(&all.lock);
    return error ? run_driver_failed(name, error) : CUDA_SUCCESS;
}

static CUresult begin(void)
{
    CUresult error = run_driver_is_begun() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
    pthread_mutex_lock(&all.lock);
    return error;
}

static bool is_served(const struct allocation_want *want)
{
    return want->type == PINNED_TYPE && want->location.type == DEVICE_LOCATION &&
           want->location.id == 0;
}

API CUresult cuMemGetAllocationGranularity(size_t *out, const struct allocation_want *want,
                                           int which)
{
    CUresult error = begin();
    (void)which; /* the least and the best are the same */
    if (!error && (!out || !want || !is_served(want)))
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error)
        *out = GRANULARITY;
    return finish(__func__, error);
}

/* ---- ranges of addresses --------------------------------------------------------------- */

API CUresult cuMemAddressReserve(CUdeviceptr *out, size_t bytes, size_t alignment,
                                 CUdeviceptr wish, unsigned long long flags)
{
    CUresult error = begin();
    (void)wish; /* an address that the caller would like, no more */
    if (alignment < GRANULARITY)
        alignment = GRANULARITY;
    const uint64_t at = (all.next + alignment - 1) / alignment * alignment;
    if (!error && (!out || !fits(bytes) || flags || (alignment & (alignment - 1))))
        error = CUDA_ERROR_INVALID_VALUE;
    struct virtual_memory *v = error ? NULL : add(bytes);
    if (!error && (!v || at > LAST_ADDRESS || bytes > LAST_ADDRESS - at))
        error = CUDA_ERROR_OUT_OF_MEMORY;
    if (v)
        v->is_released = error != CUDA_SUCCESS;
    if (!error) {
        *out = v->at = at;
        all.next = at + bytes + GRANULARITY;
    }
    return finish(__func__, error);
}

API CUresult cuMemAddressFree(CUdeviceptr at, size_t bytes)
{
    CUresult error = begin();
    struct virtual_memory *v = range_at(at, bytes);
    if (!error && (!v || v->at != at || v->bytes != bytes || mapped_in(at, at + bytes)))
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error)
        v->is_released = true;
    return finish(__func__, error);
}

/* ---- memory without an address --------------------------------------------------------- */

API CUresult cuMemCreate(uint64_t *out, size_t bytes, const struct allocation_want *want,
                         unsigned long long flags)
{
    CUresult error = begin();
    if (!error && (!out || !want || !fits(bytes) || flags || !is_served(want)))
        error = CUDA_ERROR_INVALID_VALUE;
    struct virtual_memory *v = error ? NULL : add(bytes);
    if (!error && !v)
        error = CUDA_ERROR_OUT_OF_MEMORY;
    if (!error) {
        *out = v->handle = ++all.last_handle;
        v->want = *want;
    }
    return finish(__func__, error);
}

/* What is mapped stays until it is unmapped. */
API CUresult cuMemRelease(uint64_t handle)
{
    CUresult error = begin();
    struct virtual_memory *v = memory_of(handle);
    if (!error && !v)
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error)
        v->is_released = true;
    return finish(__func__, error);
}

API CUresult cuMemGetAllocationPropertiesFromHandle(struct allocation_want *out, uint64_t handle)
{
    CUresult error = begin();
    const struct virtual_memory *v = memory_of(handle);
    if (!error && (!v || !out))
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error)
        *out = v->want;
    return finish(__func__, error);
}

/* ---- mapping --------------------------------------------------------------------------- */

API CUresult cuMemMap(CUdeviceptr at, size_t bytes, size_t offset, uint64_t handle,
                      unsigned long long flags)
{
    CUresult error = begin();
    struct virtual_memory *v = memory_of(handle);
    if (!error && (!v || flags || !fits(bytes) || at % GRANULARITY || !range_at(at, bytes) ||
                   mapped_in(at, at + bytes)))
        error = CUDA_ERROR_INVALID_VALUE;
    const bool is_other = !error && (offset || bytes != v->bytes || v->was_mapped);
    if (!error && !is_other) {
        v->at = at;
        v->is_mapped = v->was_mapped = true;
    }
    error = finish(__func__, error);
    return is_other ? run_driver_lacking("cuMemMap of a part, or a second time") : error;
}

/* All memory in the range becomes the device's. */
API CUresult cuMemSetAccess(CUdeviceptr at, size_t bytes, const struct access_want *want,
                            size_t count)
{
    CUresult error = begin();
    struct virtual_memory *v = mapped_in(at, at + bytes);
    if (!error && (!v || !want || count != 1 || want->location.id ||
                   want->location.type != DEVICE_LOCATION))
        error = CUDA_ERROR_INVALID_VALUE;
    const bool is_other = !error && want->flags != READ_WRITE;
    for (; v && !error && !is_other; v = mapped_in(v->at + v->bytes, at + bytes)) {
        struct run_message m = REQUEST(ALLOCATE, v->bytes, MEMORY_DEVICE, 0, 0,
                                       RUN_NO_STREAM, v->at);
        if (!v->is_open)
            error = run_driver_result(run_ask(&m, NULL, 0, NULL, 0));
        v->is_open = v->is_open || !error;
    }
    error = finish(__func__, error);
    return is_other ? run_driver_lacking("cuMemSetAccess for less than reading and writing")
                    : error;
}

API CUresult cuMemGetAccess(unsigned long long *out, const struct memory_location *location,
                            CUdeviceptr at)
{
    CUresult error = begin();
    const struct virtual_memory *v = range_at(at, 0) ? mapped_at(at) : NULL;
    if (!error && (!out || !location || location->type != DEVICE_LOCATION || location->id || !v))
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error)
        *out = v->is_open ? READ_WRITE : 0;
    return finish(__func__, error);
}

API CUresult cuMemUnmap(CUdeviceptr at, size_t bytes)
{
    CUresult error = begin();
    struct virtual_memory *v = mapped_in(at, at + bytes);
    if (!error && !v)
        error = CUDA_ERROR_INVALID_VALUE;
    for (; v && !error; v = mapped_in(v->at + v->bytes, at + bytes)) {
        struct run_message m = REQUEST(RELEASE, v->at, MEMORY_DEVICE, RUN_NO_STREAM);
        if (v->is_open)
            error = run_driver_result(run_ask(&m, NULL, 0, NULL, 0));
        v->is_open = v->is_mapped = false;
    }
    return finish(__func__, error);
}
