/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory: getting it, copying, filling. All copies are one request, with the shape of what is
 * copied.
 */
#include "run/client/client.h"
#include "run/memory.h"

#include <string.h>

/* ---- getting it ------------------------------------------------------------------------ */

static cudaError_t allocate_with(const char *name, void **at, size_t bytes, enum run_memory kind,
                                 unsigned flags)
{
    return run_make(name, at, REQUEST(ALLOCATE, bytes, kind, flags, 0, RUN_NO_STREAM));
}

static cudaError_t allocate(const char *name, void **at, size_t bytes, enum run_memory kind)
{
    return allocate_with(name, at, bytes, kind, 0);
}

API cudaError_t cudaMalloc(void **at, size_t bytes)
{
    return allocate(__func__, at, bytes, MEMORY_DEVICE);
}

static cudaError_t allocate_in_order(const char *name, void **at, size_t bytes, cudaMemPool_t pool,
                                     cudaStream_t stream)
{
    return run_make(name, at, REQUEST(ALLOCATE, bytes, MEMORY_DEVICE, 0, number_of(pool),
                                      number_of(stream)));
}

API cudaError_t cudaMallocAsync(void **at, size_t bytes, cudaStream_t stream)
{
    return allocate_in_order(__func__, at, bytes, run_current_pool(), stream);
}

API cudaError_t cudaMallocManaged(void **at, size_t bytes, unsigned flags)
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return run_failed(__func__, cudaErrorInvalidValue);
    return allocate(__func__, at, bytes, MEMORY_MANAGED);
}

API cudaError_t cudaMallocHost(void **at, size_t bytes)
{
    return allocate(__func__, at, bytes, MEMORY_PINNED);
}

API cudaError_t cudaHostAlloc(void **at, size_t bytes, unsigned flags)
{
    enum { KNOWN = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined };
    if (flags & ~(unsigned)KNOWN)
        return run_failed(__func__, cudaErrorInvalidValue);
    return allocate_with(__func__, at, bytes, MEMORY_PINNED, flags);
}

API cudaError_t cudaHostGetDevicePointer(void **at, void *host, unsigned flags)
{
    struct run_message r = REQUEST(POINTER, number_of(host));
    cudaError_t error = run_ask(&r, NULL, 0, NULL, 0);
    (void)flags;
    if (!at || error || (r.number[0] != MEMORY_PINNED && r.number[0] != MEMORY_MANAGED))
        return run_failed(__func__, cudaErrorInvalidValue);
    *at = host;
    return cudaSuccess;
}

static cudaError_t release(const char *name, void *at, enum run_memory kind)
{
    return run_call(name, &REQUEST(RELEASE, number_of(at), kind, RUN_NO_STREAM));
}

API cudaError_t cudaFree(void *at) { return release(__func__, at, MEMORY_DEVICE); }
API cudaError_t cudaFreeHost(void *at) { return release(__func__, at, MEMORY_PINNED); }

API cudaError_t cudaFreeAsync(void *at, cudaStream_t stream)
{
    return CALL(RELEASE, number_of(at), MEMORY_DEVICE, number_of(stream));
}

API cudaError_t cudaMallocFromPoolAsync(void **at, size_t bytes, cudaMemPool_t pool,
                                        cudaStream_t stream)
{
    return allocate_in_order(__func__, at, bytes, pool, stream);
}

enum { PITCH_UNIT = 512 };

static size_t pitch_of(size_t width)
{
    return (width + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT;
}

static cudaError_t allocate_rows(const char *name, void **at, size_t width, size_t height,
                                 size_t depth)
{
    size_t bytes;
    if (pitch_of(width) < width || !bytes_of_rows(pitch_of(width), height, depth, &bytes))
        return run_failed(name, cudaErrorInvalidValue);
    return run_make(name, at, REQUEST(ALLOCATE, bytes, MEMORY_DEVICE, 0, 0, RUN_NO_STREAM, 0,
                                      pitch_of(width)));
}

API cudaError_t cudaMallocPitch(void **at, size_t *pitch, size_t width, size_t height)
{
    if (!pitch)
        return run_failed(__func__, cudaErrorInvalidValue);
    *pitch = pitch_of(width);
    return allocate_rows(__func__, at, width, height, 1);
}

API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent e)
{
    if (!out)
        return run_failed(__func__, cudaErrorInvalidValue);
    *out = (struct cudaPitchedPtr){NULL, pitch_of(e.width), e.width, e.height};
    return allocate_rows(__func__, &out->ptr, e.width, e.height, e.depth);
}

API cudaError_t cudaMemGetInfo(size_t *left, size_t *total)
{
    struct run_message r = REQUEST(MEMORY_INFO);
    cudaError_t error = run_call(__func__, &r);
    if (left)
        *left = (size_t)r.number[0];
    if (total)
        *total = (size_t)r.number[1];
    return error;
}

API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *at)
{
    static const enum cudaMemoryType types[] = {
        [MEMORY_NONE] = cudaMemoryTypeUnregistered, [MEMORY_DEVICE] = cudaMemoryTypeDevice,
        [MEMORY_PINNED] = cudaMemoryTypeHost, [MEMORY_MANAGED] = cudaMemoryTypeManaged};
    struct run_message r = REQUEST(POINTER, number_of(at));
    if (!out)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &r);
    if (error)
        return error;
    void *p = (void *)(uintptr_t)at;
    *out = (struct cudaPointerAttributes){
        .type = types[r.number[0]],
        .device = r.number[0] == MEMORY_NONE ? -2 : 0,
        .devicePointer = r.number[0] == MEMORY_NONE ? NULL : p,
        .hostPointer = r.number[0] == MEMORY_DEVICE ? NULL : p};
    return cudaSuccess;
}

/* ---- copying --------------------------------------------------------------------------- */

struct copy_shape {
    const void *from;
    void *to;
    size_t width, height, depth, row_to, row_from, slice_to, slice_from;
};

static struct run_message copy_request(const struct copy_shape *s, enum cudaMemcpyKind kind)
{
    return REQUEST(COPY, number_of(s->to), number_of(s->from), s->width, s->height, s->depth,
                   s->row_to, s->row_from, s->slice_to, s->slice_from, kind);
}

/* From the first byte of a side to its last; 0: it is too large. */
static uint64_t span_of(const struct run_message *m, bool is_to)
{
    const uint64_t *n = m->number;
    const uint64_t row = n[is_to ? COPY_ROW_TO : COPY_ROW_FROM];
    const uint64_t slice = n[is_to ? COPY_SLICE_TO : COPY_SLICE_FROM];
    uint64_t rows, slices, all;
    if (!n[COPY_WIDTH] || !n[COPY_HEIGHT] || !n[COPY_DEPTH] ||
        __builtin_mul_overflow(n[COPY_HEIGHT] - 1, row, &rows) ||
        __builtin_mul_overflow(n[COPY_DEPTH] - 1, slice, &slices) ||
        __builtin_add_overflow(rows, slices, &all) ||
        __builtin_add_overflow(all, n[COPY_WIDTH], &all))
        return 0;
    return all;
}

/* Sends the request. A copy past the end of what the host has there is done, as on a GPU, and told.
 * It may write over the size of the next block, so the size is looked at before. */
static cudaError_t send_copy(const char *name, struct run_message *m)
{
    struct host_room to, from;
    const bool good_to = run_has_room(m->number[COPY_TO], span_of(m, true), &to);
    const bool good_from = run_has_room(m->number[COPY_FROM], span_of(m, false), &from);
    const struct host_room *small = good_to ? &from : &to;
    const cudaError_t error = run_call(name, m);
    if (!error && !(good_to && good_from)) {
        struct run_message past = REQUEST(PAST_ROOM, !good_to, small->wanted, small->bytes,
                                          small->kind);
        memcpy(past.frame, m->frame, sizeof past.frame);
        run_ask(&past, NULL, 0, NULL, 0);
    }
    return error;
}

/* Sends the request of a copy or, where there is an error, only notes that. */
static cudaError_t do_copy(const char *name, cudaError_t error, struct run_message *m,
                           cudaStream_t stream, bool waits)
{
    if (error)
        return run_failed(name, error);
    m->number[10] = number_of(stream);
    m->number[11] = waits;
    return send_copy(name, m);
}

static bool is_kind(enum cudaMemcpyKind kind) { return (unsigned)kind <= cudaMemcpyDefault; }

static cudaError_t copy(const char *name, const struct copy_shape *s, enum cudaMemcpyKind kind,
                        cudaStream_t stream, bool waits)
{
    struct run_message m = copy_request(s, kind);
    return do_copy(name, is_kind(kind) ? cudaSuccess : cudaErrorInvalidMemcpyDirection, &m, stream,
                   waits);
}

cudaError_t run_row_request(void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
                            struct run_message *m)
{
    *m = copy_request(&(struct copy_shape){from, to, n, 1, 1, n, n, n, n}, kind);
    return !is_kind(kind) ? cudaErrorInvalidMemcpyDirection
           : n && (!to || !from) ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t run_copy_row(const char *name, void *to, const void *from, size_t n,
                         enum cudaMemcpyKind kind, cudaStream_t stream, bool waits)
{
    struct run_message m;
    return do_copy(name, run_row_request(to, from, n, kind, &m), &m, stream, waits);
}

API cudaError_t cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
    return run_copy_row(__func__, to, from, n, kind, NULL, true);
}

API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
                                cudaStream_t stream)
{
    return run_copy_row(__func__, to, from, n, kind, stream, false);
}

static cudaError_t copy_peer(const char *name, void *to, int device, const void *from, int other,
                             size_t n, cudaStream_t stream, bool waits)
{
    if (device != 0 || other != 0)
        return run_failed(name, cudaErrorInvalidDevice);
    return run_copy_row(name, to, from, n, cudaMemcpyDefault, stream, waits);
}

API cudaError_t cudaMemcpyPeer(void *to, int device, const void *from, int other, size_t n)
{
    return copy_peer(__func__, to, device, from, other, n, NULL, true);
}

API cudaError_t cudaMemcpyPeerAsync(void *to, int device, const void *from, int other, size_t n,
                                    cudaStream_t stream)
{
    return copy_peer(__func__, to, device, from, other, n, stream, false);
}

static cudaError_t copy_rows(const char *name, void *to, size_t row_to, const void *from,
                             size_t row_from, size_t width, size_t height,
                             enum cudaMemcpyKind kind, cudaStream_t stream, bool waits)
{
    if (width > row_to || width > row_from)
        return run_failed(name, cudaErrorInvalidPitchValue);
    return copy(name,
                &(struct copy_shape){from, to, width, height, 1, row_to, row_from, row_to * height,
                                row_from * height},
                kind, stream, waits);
}

API cudaError_t cudaMemcpy2D(void *to, size_t row_to, const void *from, size_t row_from,
                             size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy_rows(__func__, to, row_to, from, row_from, width, height, kind, NULL, true);
}

API cudaError_t cudaMemcpy2DAsync(void *to, size_t row_to, const void *from, size_t row_from,
                                  size_t width, size_t height, enum cudaMemcpyKind kind,
                                  cudaStream_t stream)
{
    return copy_rows(__func__, to, row_to, from, row_from, width, height, kind, stream, false);
}

cudaError_t run_copy_request(const struct cudaMemcpy3DParms *given, struct run_message *m)
{
    struct cudaMemcpy3DParms flat;
    const struct cudaMemcpy3DParms *const p = &flat;
    if (!given || (given->srcArray && given->srcPtr.ptr) || (given->dstArray && given->dstPtr.ptr))
        return cudaErrorInvalidValue;
    cudaError_t error = run_flatten(given, &flat);
    if (error)
        return error;
    const struct cudaPitchedPtr *a = &p->srcPtr, *b = &p->dstPtr;
    const size_t slice_from = a->pitch * a->ysize, slice_to = b->pitch * b->ysize;
    const char *from = (const char *)a->ptr + p->srcPos.x + p->srcPos.y * a->pitch +
                       p->srcPos.z * slice_from;
    char *to = (char *)b->ptr + p->dstPos.x + p->dstPos.y * b->pitch + p->dstPos.z * slice_to;
    *m = copy_request(&(struct copy_shape){from, to, p->extent.width, p->extent.height,
                                           p->extent.depth, b->pitch, a->pitch, slice_to,
                                           slice_from},
                      p->kind);
    return is_kind(p->kind) ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
}

cudaError_t run_copy(const char *name, const struct cudaMemcpy3DParms *p, cudaStream_t stream,
                     bool waits)
{
    struct run_message m;
    return do_copy(name, run_copy_request(p, &m), &m, stream, waits);
}

API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return run_copy(__func__, p, NULL, true);
}

API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return run_copy(__func__, p, stream, false);
}

cudaError_t run_symbol_request(const void *symbol, const void *host, size_t n, size_t offset,
                               enum cudaMemcpyKind kind, bool to_symbol, struct run_message *m)
{
    uint64_t address, size;
    cudaError_t error = run_variable_of(symbol, &address, &size);
    if (error)
        return error;
    char *there = pointer_of(address + offset), *here = (char *)(uintptr_t)host;
    *m = copy_request(&(struct copy_shape){to_symbol ? here : there, to_symbol ? there : here, n,
                                           1, 1, n, n, n, n}, kind);
    m->number[12] = size;
    m->number[13] = offset;
    return kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault ||
                   kind == (to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost)
               ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
}

static cudaError_t copy_symbol(const char *name, const void *symbol, const void *host, size_t n,
                               size_t offset, enum cudaMemcpyKind kind, bool to_symbol,
                               cudaStream_t stream, bool waits)
{
    struct run_message m;
    return do_copy(name, run_symbol_request(symbol, host, n, offset, kind, to_symbol, &m), &m,
                   stream, waits);
}

API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t n, size_t offset,
                                   enum cudaMemcpyKind kind)
{
    return copy_symbol(__func__, symbol, from, n, offset, kind, true, NULL, true);
}

API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t n, size_t offset,
                                     enum cudaMemcpyKind kind)
{
    return copy_symbol(__func__, symbol, to, n, offset, kind, false, NULL, true);
}

API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t n,
                                        size_t offset, enum cudaMemcpyKind kind,
                                        cudaStream_t stream)
{
    return copy_symbol(__func__, symbol, from, n, offset, kind, true, stream, false);
}

API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t n, size_t offset,
                                          enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_symbol(__func__, symbol, to, n, offset, kind, false, stream, false);
}

/* ---- filling --------------------------------------------------------------------------- */

cudaError_t run_fill_request(const struct cudaMemsetParams *p, struct run_message *m)
{
    if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
        return cudaErrorInvalidValue;
    *m = REQUEST(FILL, number_of(p->dst), p->value, p->width * p->elementSize, p->height,
                 p->height > 1 ? p->pitch : p->width * p->elementSize);
    m->number[7] = p->elementSize;
    return cudaSuccess;
}

/* `waits`: if it is memory of the host. */
static cudaError_t fill(const char *name, void *to, int value, size_t width, size_t height,
                        size_t pitch, cudaStream_t stream, bool waits)
{
    if (height > 1 && width > pitch)
        return run_failed(name, cudaErrorInvalidValue);
    return run_call(name, &REQUEST(FILL, number_of(to), (unsigned char)value, width, height, pitch,
                                   number_of(stream), waits, 1));
}

API cudaError_t cudaMemset(void *to, int value, size_t n)
{
    return fill(__func__, to, value, n, 1, n, NULL, true);
}

API cudaError_t cudaMemsetAsync(void *to, int value, size_t n, cudaStream_t stream)
{
    return fill(__func__, to, value, n, 1, n, stream, false);
}

API cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return fill(__func__, to, value, width, height, pitch, NULL, true);
}

API cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                  cudaStream_t stream)
{
    return fill(__func__, to, value, width, height, pitch, stream, false);
}

API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent e,
                                  cudaStream_t stream)
{
    return fill(__func__, to.ptr, value, e.width, e.height * e.depth, to.pitch, stream, false);
}

API cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent e)
{
    return fill(__func__, to.ptr, value, e.width, e.height * e.depth, to.pitch, NULL, true);
}
