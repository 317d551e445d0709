/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays of the driver API, copies with rows and slices, and the objects through which kernels read
 * arrays: textures and surfaces. All are those of the runtime, and only the structs that describe
 * them differ.
 */
#include "run/client/array.h"
#include "run/client/driver.h"

#include <string.h>

/* The runtime's functions that serve these. */
cudaError_t cudaMalloc3DArray(cudaArray_t *, const struct cudaChannelFormatDesc *,
                              struct cudaExtent, unsigned flags);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *, const struct cudaResourceDesc *,
                                    const struct cudaTextureDesc *,
                                    const struct cudaResourceViewDesc *);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *, const struct cudaResourceDesc *);

/* ---- formats --------------------------------------------------------------------------- */

static const struct { int format, bits; enum cudaChannelFormatKind kind; } formats[] = {
    {0x01, 8, cudaChannelFormatKindUnsigned}, {0x02, 16, cudaChannelFormatKindUnsigned},
    {0x03, 32, cudaChannelFormatKindUnsigned}, {0x08, 8, cudaChannelFormatKindSigned},
    {0x09, 16, cudaChannelFormatKindSigned}, {0x0a, 32, cudaChannelFormatKindSigned},
    {0x10, 16, cudaChannelFormatKindFloat}, {0x20, 32, cudaChannelFormatKindFloat}};

/* False: there is no such format, or not so many channels. */
static bool channels_of(int format, unsigned channels, struct cudaChannelFormatDesc *out)
{
    if (channels != 1 && channels != 2 && channels != 4)
        return false;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].format == format) {
            const int bits = formats[i].bits, more = channels > 2 ? bits : 0;
            *out = (struct cudaChannelFormatDesc){bits, channels > 1 ? bits : 0, more, more,
                                                  formats[i].kind};
            return true;
        }
    return false;
}

static int format_of(const struct cudaChannelFormatDesc *d)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].bits == d->x && formats[i].kind == d->f)
            return formats[i].format;
    return 0;
}

/* ---- arrays ---------------------------------------------------------------------------- */

/* CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR */
struct plane_of_texels { size_t width, height; int format; unsigned channels; };
struct box_of_texels { size_t width, height, depth; int format; unsigned channels, flags; };

static CUresult make_array(const char *name, cudaArray_t *out, const struct box_of_texels *b)
{
    struct cudaChannelFormatDesc channels;
    CUresult error = run_driver_ready();
    if (!error && (!out || !channels_of(b->format, b->channels, &channels)))
        error = CUDA_ERROR_INVALID_VALUE;
    if (error)
        return run_driver_failed(name, error);
    run_called_as = name;
    error = run_driver_result(cudaMalloc3DArray(
        out, &channels, (struct cudaExtent){b->width, b->height, b->depth}, b->flags));
    run_called_as = NULL;
    return error;
}

API CUresult cuArrayCreate_v2(cudaArray_t *out, const struct plane_of_texels *p)
{
    return p ? make_array(__func__, out, &(struct box_of_texels){p->width, p->height, 0, p->format,
                                                                 p->channels, 0})
             : run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
}

API CUresult cuArray3DCreate_v2(cudaArray_t *out, const struct box_of_texels *b)
{
    return b ? make_array(__func__, out, b)
             : run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
}

API CUresult cuArray3DGetDescriptor_v2(struct box_of_texels *out, cudaArray_t handle)
{
    const struct cuda_array *a = array_of(handle);
    if (!a || !out)
        return run_driver_failed(__func__, a ? CUDA_ERROR_INVALID_VALUE
                                             : CUDA_ERROR_INVALID_HANDLE);
    *out = (struct box_of_texels){a->extent.width, a->extent.height, a->extent.depth,
                                  format_of(&a->format), array_channels(&a->format), a->flags};
    return CUDA_SUCCESS;
}

API CUresult cuArrayGetDescriptor_v2(struct plane_of_texels *out, cudaArray_t handle)
{
    const struct cuda_array *a = array_of(handle);
    if (!a || !out)
        return run_driver_failed(__func__, a ? CUDA_ERROR_INVALID_VALUE
                                             : CUDA_ERROR_INVALID_HANDLE);
    *out = (struct plane_of_texels){a->extent.width, a->extent.height, format_of(&a->format),
                                    array_channels(&a->format)};
    return CUDA_SUCCESS;
}

/* ---- copies ---------------------------------------------------------------------------- */

static bool is_place(int type) { return type >= DRIVER_HOST && type <= DRIVER_UNIFIED; }

/* The memory of one side, and where the copy begins there. The runtime counts texels where a side
 * is an array. False: there is no such place. */
static bool place_of(const struct driver_side *s, const struct driver_copy *c,
                     struct cudaPitchedPtr *memory, struct cudaPos *at, cudaArray_t *array)
{
    const bool of_array = s->type == DRIVER_ARRAY;
    const struct cuda_array *a = of_array ? array_of(s->array) : NULL;
    *at = (struct cudaPos){s->x, s->y, s->z};
    if (!is_place(s->type) || s->level || (of_array && (!a || s->x % a->texel)))
        return false;
    if (of_array) {
        *array = s->array;
        at->x /= a->texel;
        return true;
    }
    const size_t pitch = s->pitch ? s->pitch : s->x + c->width; /* rows without a gap */
    *memory = (struct cudaPitchedPtr){
        s->type == DRIVER_HOST ? s->host : pointer_of(s->device), pitch, pitch,
        s->height ? s->height : c->height};
    return s->x + c->width <= pitch;
}

static enum cudaMemcpyKind kind_of(int to, int from)
{
    if (to == DRIVER_UNIFIED || from == DRIVER_UNIFIED)
        return cudaMemcpyDefault;
    return to == DRIVER_HOST
               ? (from == DRIVER_HOST ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost)
               : (from == DRIVER_HOST ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice);
}

bool run_driver_copy(const struct driver_copy *c, struct cudaMemcpy3DParms *out)
{
    *out = (struct cudaMemcpy3DParms){.srcArray = NULL};
    if (!c || !place_of(&c->to, c, &out->dstPtr, &out->dstPos, &out->dstArray) ||
        !place_of(&c->from, c, &out->srcPtr, &out->srcPos, &out->srcArray))
        return false;
    const struct cuda_array *a = array_of(out->srcArray ? out->srcArray : out->dstArray);
    const size_t texel = a ? a->texel : 1;
    out->extent = (struct cudaExtent){c->width / texel, c->height, c->depth};
    out->kind = kind_of(c->to.type, c->from.type);
    return c->width % texel == 0;
}

static CUresult copy(const char *name, const struct driver_copy *c, CUstream stream, bool waits)
{
    struct cudaMemcpy3DParms p;
    CUresult error = run_driver_ready();
    if (!error && !run_driver_copy(c, &p))
        error = CUDA_ERROR_INVALID_VALUE;
    return error ? run_driver_failed(name, error) : (CUresult)run_copy(name, &p, stream, waits);
}

/* CUDA_MEMCPY2D */
struct side_of_rows { size_t x, y; int type; void *host; CUdeviceptr device; cudaArray_t array;
                      size_t pitch; };
struct copy_of_rows { struct side_of_rows from, to; size_t width, height; };

static struct driver_side of_rows(const struct side_of_rows *s)
{
    return (struct driver_side){.x = s->x, .y = s->y, .type = s->type, .host = s->host,
                                .device = s->device, .array = s->array, .pitch = s->pitch};
}

static CUresult copy_rows(const char *name, const struct copy_of_rows *c, CUstream stream,
                          bool waits)
{
    if (!c)
        return run_driver_failed(name, CUDA_ERROR_INVALID_VALUE);
    const struct driver_copy box = {of_rows(&c->from), of_rows(&c->to), c->width, c->height, 1};
    return copy(name, &box, stream, waits);
}

API CUresult cuMemcpy2D_v2(const struct copy_of_rows *c)
{
    return copy_rows(__func__, c, NULL, true);
}

API CUresult cuMemcpy2DUnaligned_v2(const struct copy_of_rows *c)
{
    return copy_rows(__func__, c, NULL, true);
}

API CUresult cuMemcpy2DAsync_v2(const struct copy_of_rows *c, CUstream stream)
{
    return copy_rows(__func__, c, stream, false);
}

API CUresult cuMemcpy3D_v2(const struct driver_copy *c)
{
    return copy(__func__, c, NULL, true);
}

API CUresult cuMemcpy3DAsync_v2(const struct driver_copy *c, CUstream stream)
{
    return copy(__func__, c, stream, false);
}

/* CUDA_MEMCPY3D_PEER is the same struct, with a context in the place that is reserved. */
API CUresult cuMemcpy3DPeer(const struct driver_copy *c)
{
    return copy(__func__, c, NULL, true);
}

API CUresult cuMemcpy3DPeerAsync(const struct driver_copy *c, CUstream stream)
{
    return copy(__func__, c, stream, false);
}

/* ---- textures and surfaces ------------------------------------------------------------- */

/* CUDA_RESOURCE_DESC, CUDA_TEXTURE_DESC */
struct driver_resource {
    enum cudaResourceType type;
    union {
        cudaArray_t array;
        struct { CUdeviceptr at; int format; unsigned channels; size_t bytes; } linear;
        struct { CUdeviceptr at; int format; unsigned channels; size_t width, height, pitch; } rows;
        int reserved[32];
    } of;
    unsigned flags;
};
struct driver_texture {
    int address[3], filter;
    unsigned flags, anisotropy;
    int mipmap_filter;
    float mipmap_bias, mipmap_least, mipmap_most, border[4];
    int reserved[12];
};
enum { AS_INTEGER = 1, NORMALIZED = 2, SRGB = 0x10, NO_TRILINEAR = 0x20, SEAMLESS = 0x40 };

static bool resource_of(const struct driver_resource *from, struct cudaResourceDesc *to,
                        struct cudaChannelFormatDesc *format)
{
    *to = (struct cudaResourceDesc){.resType = from->type};
    const struct cuda_array *a;
    switch (from->type) {
    case cudaResourceTypeArray:
        a = array_of(from->of.array);
        to->res.array.array = from->of.array;
        if (a)
            *format = a->format;
        return a != NULL;
    case cudaResourceTypeLinear:
        to->res.linear.devPtr = pointer_of(from->of.linear.at);
        to->res.linear.sizeInBytes = from->of.linear.bytes;
        if (!channels_of(from->of.linear.format, from->of.linear.channels, format))
            return false;
        to->res.linear.desc = *format;
        return true;
    case cudaResourceTypePitch2D:
        to->res.pitch2D.devPtr = pointer_of(from->of.rows.at);
        to->res.pitch2D.width = from->of.rows.width;
        to->res.pitch2D.height = from->of.rows.height;
        to->res.pitch2D.pitchInBytes = from->of.rows.pitch;
        if (!channels_of(from->of.rows.format, from->of.rows.channels, format))
            return false;
        to->res.pitch2D.desc = *format;
        return true;
    default: return true; /* the runtime says what it lacks */
    }
}

/* Small integers are read as fractions of 1, unless the program wants them as they are. */
static void texture_of(const struct driver_texture *from, const struct cudaChannelFormatDesc *format,
                       struct cudaTextureDesc *to)
{
    const bool is_small = format->f != cudaChannelFormatKindFloat && format->x < 32;
    *to = (struct cudaTextureDesc){
        .filterMode = (enum cudaTextureFilterMode)from->filter,
        .readMode = is_small && !(from->flags & AS_INTEGER) ? cudaReadModeNormalizedFloat
                                                            : cudaReadModeElementType,
        .sRGB = (from->flags & SRGB) != 0, .normalizedCoords = (from->flags & NORMALIZED) != 0,
        .maxAnisotropy = from->anisotropy,
        .mipmapFilterMode = (enum cudaTextureFilterMode)from->mipmap_filter,
        .mipmapLevelBias = from->mipmap_bias, .minMipmapLevelClamp = from->mipmap_least,
        .maxMipmapLevelClamp = from->mipmap_most,
        .disableTrilinearOptimization = (from->flags & NO_TRILINEAR) != 0,
        .seamlessCubemap = (from->flags & SEAMLESS) != 0};
    for (int i = 0; i < 3; i++)
        to->addressMode[i] = (enum cudaTextureAddressMode)from->address[i];
    memcpy(to->borderColor, from->border, sizeof from->border);
}

API CUresult cuTexObjectCreate(cudaTextureObject_t *out, const struct driver_resource *resource,
                               const struct driver_texture *texture,
                               const struct cudaResourceViewDesc *view)
{
    struct cudaResourceDesc r;
    struct cudaTextureDesc t;
    struct cudaChannelFormatDesc format = {0};
    CUresult error = run_driver_ready();
    if (!error && (!resource || !texture || !resource_of(resource, &r, &format)))
        error = CUDA_ERROR_INVALID_VALUE;
    if (error)
        return run_driver_failed(__func__, error);
    texture_of(texture, &format, &t);
    run_called_as = __func__;
    error = run_driver_result(cudaCreateTextureObject(out, &r, &t, view));
    run_called_as = NULL;
    return error;
}

API CUresult cuSurfObjectCreate(cudaSurfaceObject_t *out, const struct driver_resource *resource)
{
    struct cudaResourceDesc r;
    struct cudaChannelFormatDesc format;
    CUresult error = run_driver_ready();
    if (!error && (!resource || !resource_of(resource, &r, &format)))
        error = CUDA_ERROR_INVALID_VALUE;
    if (error)
        return run_driver_failed(__func__, error);
    run_called_as = __func__;
    error = run_driver_result(cudaCreateSurfaceObject(out, &r));
    run_called_as = NULL;
    return error;
}
