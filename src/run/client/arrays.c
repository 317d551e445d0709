/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays of CUDA: getting them, and copies from and to them.
 */
#include "run/client/array.h"
#include "run/memory.h"

#include <pthread.h>
#include <stdlib.h>

static struct { pthread_mutex_t lock; struct cuda_array *first; } arrays = {
    .lock = PTHREAD_MUTEX_INITIALIZER};

struct cuda_array *array_of(cudaArray_const_t handle)
{
    pthread_mutex_lock(&arrays.lock);
    struct cuda_array *a = arrays.first;
    while (a && (const void *)a != (const void *)handle)
        a = a->next;
    pthread_mutex_unlock(&arrays.lock);
    return a;
}

/* ---- formats --------------------------------------------------------------------------- */

unsigned array_channels(const struct cudaChannelFormatDesc *f)
{
    const int bits[] = {f->x, f->y, f->z, f->w};
    unsigned count = 0;
    while (count < 4 && bits[count] == f->x && f->x)
        count++;
    for (unsigned i = count; i < 4; i++)
        if (bits[i])
            return 0;
    return count;
}

unsigned array_texel(const struct cudaChannelFormatDesc *f)
{
    const unsigned count = array_channels(f);
    const bool sized = f->x == 8 || f->x == 16 || f->x == 32;
    if (!sized || count == 0 || count == 3 || (unsigned)f->f > cudaChannelFormatKindFloat ||
        (f->f == cudaChannelFormatKindFloat && f->x == 8))
        return 0;
    return count * (unsigned)f->x / 8;
}

/* ---- getting them ---------------------------------------------------------------------- */

/* Layers and the faces of a cube are slices; of layered arrays of one dimension, rows. */
static bool has_shape(const struct cudaExtent *e, unsigned flags)
{
    const bool cube = flags & cudaArrayCubemap, layered = flags & cudaArrayLayered;
    if (!e->width)
        return false;
    if (cube)
        return e->width == e->height && (layered ? e->depth && e->depth % 6 == 0 : e->depth == 6);
    return layered ? e->depth != 0 : e->height || !e->depth;
}

cudaError_t array_plan(const struct cudaChannelFormatDesc *format, struct cudaExtent e,
                       unsigned flags, struct cuda_array *out, size_t *bytes)
{
    enum { KNOWN = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                   cudaArrayTextureGather };
    if (!format || (flags & ~(unsigned)KNOWN) || !has_shape(&e, flags))
        return cudaErrorInvalidValue;
    const size_t texel = array_texel(format);
    if (!texel)
        return cudaErrorInvalidChannelDescriptor;
    size_t row;
    if (!bytes_of_rows(texel, e.width, 1, &row) ||
        !bytes_of_rows(row, e.height ? e.height : 1, e.depth ? e.depth : 1, bytes))
        return cudaErrorInvalidValue;
    *out = (struct cuda_array){.format = *format, .extent = e, .flags = flags, .texel = texel,
                               .row = row, .slices = e.depth ? e.depth : 1};
    out->slice = out->row * (e.height ? e.height : 1);
    return cudaSuccess;
}

struct cuda_array *array_keep(const struct cuda_array *planned)
{
    struct cuda_array *a = malloc(sizeof *a);
    if (!a)
        return NULL;
    *a = *planned;
    pthread_mutex_lock(&arrays.lock);
    a->next = arrays.first;
    arrays.first = a;
    pthread_mutex_unlock(&arrays.lock);
    return a;
}

void array_drop(struct cuda_array *a)
{
    pthread_mutex_lock(&arrays.lock);
    struct cuda_array **at = &arrays.first;
    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
    pthread_mutex_unlock(&arrays.lock);
    free(a);
}

static cudaError_t make(const char *name, cudaArray_t *out,
                        const struct cudaChannelFormatDesc *format, struct cudaExtent e,
                        unsigned flags)
{
    struct cuda_array planned;
    size_t bytes;
    cudaError_t error = out ? array_plan(format, e, flags, &planned, &bytes)
                            : cudaErrorInvalidValue;
    if (error)
        return run_failed(name, error);
    struct run_message m = REQUEST(ALLOCATE, bytes, MEMORY_DEVICE, 0, 0, RUN_NO_STREAM);
    error = run_call(name, &m);
    if (error)
        return error;
    planned.address = m.number[0];
    struct cuda_array *a = array_keep(&planned);
    if (!a) {
        run_call(name, &REQUEST(RELEASE, planned.address, MEMORY_DEVICE, RUN_NO_STREAM));
        return run_failed(name, cudaErrorMemoryAllocation);
    }
    *out = (cudaArray_t)(void *)a;
    return cudaSuccess;
}

API cudaError_t cudaMallocArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                                size_t width, size_t height, unsigned flags)
{
    return make(__func__, out, format, (struct cudaExtent){width, height, 0}, flags);
}

API cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                                  struct cudaExtent e, unsigned flags)
{
    return make(__func__, out, format, e, flags);
}

API cudaError_t cudaFreeArray(cudaArray_t handle)
{
    struct cuda_array *a = array_of(handle);
    if (!handle)
        return cudaSuccess;
    if (!a || a->is_level)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = CALL(RELEASE, a->address, MEMORY_DEVICE, RUN_NO_STREAM);
    array_drop(a);
    return error;
}

API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *out, cudaArray_const_t handle)
{
    const struct cuda_array *a = array_of(handle);
    if (!out || !a)
        return run_failed(__func__, cudaErrorInvalidValue);
    *out = a->format;
    return cudaSuccess;
}

API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                                 unsigned *flags, cudaArray_t handle)
{
    const struct cuda_array *a = array_of(handle);
    if (!a)
        return run_failed(__func__, cudaErrorInvalidValue);
    if (format)
        *format = a->format;
    if (extent)
        *extent = a->extent;
    if (flags)
        *flags = a->flags;
    return cudaSuccess;
}

/* ---- copies ---------------------------------------------------------------------------- */

/* An array as pitched memory, and its position and extents in bytes. False: it has no such part. */
static bool flatten(cudaArray_const_t handle, const struct cudaPos *at, struct cudaExtent e,
                    struct cudaPitchedPtr *memory, struct cudaPos *bytes)
{
    const struct cuda_array *a = array_of(handle);
    if (!a)
        return false;
    const size_t rows = a->slice / a->row;
    *memory = (struct cudaPitchedPtr){pointer_of(a->address), a->row, a->row, rows};
    *bytes = (struct cudaPos){at->x * a->texel, at->y, at->z};
    return e.width <= a->row && bytes->x <= a->row - e.width && e.height <= rows &&
           at->y <= rows - e.height && e.depth <= a->slices && at->z <= a->slices - e.depth;
}

cudaError_t run_flatten(const struct cudaMemcpy3DParms *p, struct cudaMemcpy3DParms *out)
{
    const struct cuda_array *a = array_of(p->srcArray), *b = array_of(p->dstArray);
    *out = *p;
    if ((p->srcArray && !a) || (p->dstArray && !b) || (a && b && a->texel != b->texel))
        return cudaErrorInvalidValue;
    out->srcArray = out->dstArray = NULL;
    out->extent.width *= a ? a->texel : b ? b->texel : 1;
    if ((a && !flatten(p->srcArray, &p->srcPos, out->extent, &out->srcPtr, &out->srcPos)) ||
        (b && !flatten(p->dstArray, &p->dstPos, out->extent, &out->dstPtr, &out->dstPos)))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

/* A rectangle of rows. The side without an array is pitched memory; x and the width are bytes. */
static cudaError_t rectangle(const char *name, const struct cudaMemcpy3DParms *given,
                             cudaStream_t stream, bool waits)
{
    struct cudaMemcpy3DParms p = *given;
    const struct cuda_array *a = array_of(p.srcArray ? p.srcArray : p.dstArray);
    if (!a || p.extent.width % a->texel || (p.srcArray && p.srcPos.x % a->texel) ||
        (p.dstArray && p.dstPos.x % a->texel))
        return run_failed(name, cudaErrorInvalidValue);
    if ((!p.srcArray && p.srcPtr.pitch < p.extent.width) ||
        (!p.dstArray && p.dstPtr.pitch < p.extent.width))
        return run_failed(name, cudaErrorInvalidPitchValue);
    p.extent.width /= a->texel;
    p.srcPos.x /= a->texel;
    p.dstPos.x /= a->texel;
    return run_copy(name, &p, stream, waits);
}

#define TO_ARRAY cudaArray_t to, size_t x, size_t y, const void *from
#define FROM_ARRAY void *to
#define BOX size_t width, size_t height, enum cudaMemcpyKind kind

static struct cudaMemcpy3DParms into(TO_ARRAY, size_t pitch, BOX)
{
    return (struct cudaMemcpy3DParms){
        .srcPtr = {(void *)(uintptr_t)from, pitch, width, height}, .dstArray = to,
        .dstPos = {x, y, 0}, .extent = {width, height, 1}, .kind = kind};
}

static struct cudaMemcpy3DParms out_of(FROM_ARRAY, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, BOX)
{
    return (struct cudaMemcpy3DParms){
        .dstPtr = {to, pitch, width, height}, .srcArray = (cudaArray_t)(uintptr_t)from,
        .srcPos = {x, y, 0}, .extent = {width, height, 1}, .kind = kind};
}

API cudaError_t cudaMemcpy2DToArray(TO_ARRAY, size_t pitch, BOX)
{
    const struct cudaMemcpy3DParms p = into(to, x, y, from, pitch, width, height, kind);
    return rectangle(__func__, &p, NULL, true);
}

API cudaError_t cudaMemcpy2DToArrayAsync(TO_ARRAY, size_t pitch, BOX, cudaStream_t stream)
{
    const struct cudaMemcpy3DParms p = into(to, x, y, from, pitch, width, height, kind);
    return rectangle(__func__, &p, stream, false);
}

API cudaError_t cudaMemcpy2DFromArray(FROM_ARRAY, size_t pitch, cudaArray_const_t from, size_t x,
                                      size_t y, BOX)
{
    const struct cudaMemcpy3DParms p = out_of(to, pitch, from, x, y, width, height, kind);
    return rectangle(__func__, &p, NULL, true);
}

API cudaError_t cudaMemcpy2DFromArrayAsync(FROM_ARRAY, size_t pitch, cudaArray_const_t from,
                                           size_t x, size_t y, BOX, cudaStream_t stream)
{
    const struct cudaMemcpy3DParms p = out_of(to, pitch, from, x, y, width, height, kind);
    return rectangle(__func__, &p, stream, false);
}

API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                         cudaArray_const_t from, size_t x, size_t y, BOX)
{
    const struct cudaMemcpy3DParms p = {
        .srcArray = (cudaArray_t)(uintptr_t)from, .srcPos = {x, y, 0}, .dstArray = to,
        .dstPos = {to_x, to_y, 0}, .extent = {width, height, 1}, .kind = kind};
    return rectangle(__func__, &p, NULL, true);
}

/* Bytes of the first slice, from byte x of row y on. NULL: there are not so many. */
static void *bytes_of(cudaArray_const_t handle, size_t x, size_t y, size_t n)
{
    const struct cuda_array *a = array_of(handle);
    if (!a || x + y * a->row > a->slice || n > a->slice - x - y * a->row)
        return NULL;
    return pointer_of(a->address + x + y * a->row);
}

/* Bytes that may go on in the next row: an array has no gaps. */
static cudaError_t line(const char *name, cudaArray_const_t handle, size_t x, size_t y, void *other,
                        size_t n, enum cudaMemcpyKind kind, bool to_array, cudaStream_t stream,
                        bool waits)
{
    void *there = bytes_of(handle, x, y, n);
    if (!there)
        return run_failed(name, cudaErrorInvalidValue);
    return run_copy_row(name, to_array ? there : other, to_array ? other : there, n, kind, stream,
                        waits);
}

API cudaError_t cudaMemcpyToArray(TO_ARRAY, size_t n, enum cudaMemcpyKind kind)
{
    return line(__func__, to, x, y, (void *)(uintptr_t)from, n, kind, true, NULL, true);
}

API cudaError_t cudaMemcpyToArrayAsync(TO_ARRAY, size_t n, enum cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
    return line(__func__, to, x, y, (void *)(uintptr_t)from, n, kind, true, stream, false);
}

API cudaError_t cudaMemcpyFromArray(FROM_ARRAY, cudaArray_const_t from, size_t x, size_t y,
                                    size_t n, enum cudaMemcpyKind kind)
{
    return line(__func__, from, x, y, to, n, kind, false, NULL, true);
}

API cudaError_t cudaMemcpyFromArrayAsync(FROM_ARRAY, cudaArray_const_t from, size_t x, size_t y,
                                         size_t n, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return line(__func__, from, x, y, to, n, kind, false, stream, false);
}

API cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                       cudaArray_const_t from, size_t x, size_t y, size_t n,
                                       enum cudaMemcpyKind kind)
{
    void *there = bytes_of(to, to_x, to_y, n);
    return there ? line(__func__, from, x, y, there, n, kind, false, NULL, true)
                 : run_failed(__func__, cudaErrorInvalidValue);
}
