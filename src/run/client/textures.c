/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texture and surface objects.
 */
#include "run/client/array.h"

#include <pthread.h>
#include <stdlib.h>

/* What an object was made of, for the calls that ask. */
struct made {
    uint64_t handle;
    bool is_surface;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc how;
    struct cudaResourceViewDesc view;
    bool has_view;
    struct made *next;
};

static struct { pthread_mutex_t lock; struct made *first; } objects = {
    .lock = PTHREAD_MUTEX_INITIALIZER};

static struct made *find(uint64_t handle, bool is_surface)
{
    pthread_mutex_lock(&objects.lock);
    struct made *o = objects.first;
    while (o && (o->handle != handle || o->is_surface != is_surface))
        o = o->next;
    pthread_mutex_unlock(&objects.lock);
    return o;
}

/* ---- what is read ---------------------------------------------------------------------- */

/* As sim/texture.h counts them: kinds of images, and of channels by their format and size. */
enum { IMAGE_1D = 1, IMAGE_2D, IMAGE_3D, IMAGE_CUBE };
enum { KIND, WIDTH, HEIGHT, DEPTH, LAYERS, MEMORY, CHANNEL, CHANNELS, ADDRESS, PITCH, SURFACE,
       LEVELS };

static uint64_t channel_of(const struct cudaChannelFormatDesc *f)
{
    enum { U8, S8, U16, S16, U32, S32, F16, F32 };
    if (f->f == cudaChannelFormatKindFloat)
        return f->x == 16 ? F16 : F32;
    const uint64_t size = f->x == 8 ? U8 : f->x == 16 ? U16 : U32;
    return size + (f->f == cudaChannelFormatKindSigned);
}

static void describe_array(const struct cuda_array *a, uint64_t *n)
{
    const struct cudaExtent *e = &a->extent;
    const bool layered = a->flags & cudaArrayLayered;
    n[WIDTH] = e->width;
    n[HEIGHT] = e->height;
    n[ADDRESS] = a->address;
    if (a->flags & cudaArrayCubemap) {
        n[KIND] = IMAGE_CUBE;
        n[LAYERS] = layered ? e->depth / 6 : 0;
    } else if (layered) {
        n[KIND] = e->height ? IMAGE_2D : IMAGE_1D;
        n[LAYERS] = e->depth;
    } else {
        n[KIND] = e->depth ? IMAGE_3D : e->height ? IMAGE_2D : IMAGE_1D;
        n[DEPTH] = e->depth;
    }
}

/* The format of a view follows the one before it: a kind and size of channel, and their number. */
static bool format_of_view(enum cudaResourceViewFormat view, struct cudaChannelFormatDesc *out)
{
    static const struct { int bits; enum cudaChannelFormatKind kind; } known[] = {
        {8, cudaChannelFormatKindUnsigned}, {8, cudaChannelFormatKindSigned},
        {16, cudaChannelFormatKindUnsigned}, {16, cudaChannelFormatKindSigned},
        {32, cudaChannelFormatKindUnsigned}, {32, cudaChannelFormatKindSigned},
        {16, cudaChannelFormatKindFloat}, {32, cudaChannelFormatKindFloat}};
    const unsigned at = (unsigned)view - 1, count = 1u << at % 3;
    if (at / 3 >= sizeof known / sizeof *known)
        return false;
    const int bits = known[at / 3].bits;
    *out = (struct cudaChannelFormatDesc){bits, count > 1 ? bits : 0, count > 2 ? bits : 0,
                                          count > 2 ? bits : 0, known[at / 3].kind};
    return true;
}

/* A view has the extents of the first level, as many bytes a texel, and some of the levels or of
 * the layers. */
static cudaError_t describe_view(const struct cudaResourceDesc *r,
                                 const struct cudaResourceViewDesc *v, uint64_t *n,
                                 struct cudaChannelFormatDesc *format)
{
    const struct cuda_mipmap *m = r->resType == cudaResourceTypeMipmappedArray
                                      ? mipmap_of(r->res.mipmap.mipmap) : NULL;
    const struct cuda_array *a = m ? &m->whole : r->resType == cudaResourceTypeArray
                                                     ? array_of(r->res.array.array) : NULL;
    struct cudaChannelFormatDesc seen;
    if (!a || !format_of_view(v->format, &seen) || array_texel(&seen) != array_texel(format))
        return cudaErrorInvalidValue;
    if (v->width != a->extent.width || v->height != a->extent.height ||
        (!n[LAYERS] && n[KIND] != IMAGE_CUBE && v->depth != a->extent.depth) ||
        v->lastMipmapLevel < v->firstMipmapLevel ||
        v->lastMipmapLevel >= (m ? m->levels : 1) || v->lastLayer < v->firstLayer ||
        (v->lastLayer && v->lastLayer >= a->slices))
        return cudaErrorInvalidValue;
    *format = seen;
    if (m) {
        describe_array(m->level[v->firstMipmapLevel], n);
        n[LEVELS] = v->lastMipmapLevel - v->firstMipmapLevel + 1;
    }
    if (!n[LAYERS] || !v->lastLayer)
        return cudaSuccess;
    if (n[LEVELS] > 1)
        return cudaErrorNotSupported; /* parts of each level */
    const uint64_t each = n[KIND] == IMAGE_CUBE ? 6 : 1;
    n[ADDRESS] += v->firstLayer * a->slice;
    n[LAYERS] = (v->lastLayer - v->firstLayer + 1) / each;
    return cudaSuccess;
}

static cudaError_t describe(const struct cudaResourceDesc *r, uint64_t *n,
                            struct cudaChannelFormatDesc *format)
{
    const struct cuda_array *a = r->resType == cudaResourceTypeArray ? array_of(r->res.array.array)
                                                                : NULL;
    const struct cuda_mipmap *m;
    switch (r->resType) {
    case cudaResourceTypeMipmappedArray:
        m = mipmap_of(r->res.mipmap.mipmap);
        if (!m)
            return cudaErrorInvalidValue;
        *format = m->whole.format;
        describe_array(&m->whole, n);
        n[ADDRESS] = m->level[0]->address;
        n[LEVELS] = m->levels;
        break;
    case cudaResourceTypeArray:
        if (!a)
            return cudaErrorInvalidValue;
        *format = a->format;
        describe_array(a, n);
        break;
    case cudaResourceTypeLinear:
        *format = r->res.linear.desc;
        n[KIND] = IMAGE_1D;
        n[MEMORY] = true;
        n[WIDTH] = array_texel(format) ? r->res.linear.sizeInBytes / array_texel(format) : 0;
        n[ADDRESS] = number_of(r->res.linear.devPtr);
        break;
    case cudaResourceTypePitch2D:
        *format = r->res.pitch2D.desc;
        n[KIND] = IMAGE_2D;
        n[WIDTH] = r->res.pitch2D.width;
        n[HEIGHT] = r->res.pitch2D.height;
        n[PITCH] = r->res.pitch2D.pitchInBytes;
        n[ADDRESS] = number_of(r->res.pitch2D.devPtr);
        break;
    default: return cudaErrorInvalidValue;
    }
    return array_texel(format) ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

static cudaError_t make(const char *name, const struct cudaResourceDesc *r,
                        const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view,
                        bool is_surface, uint64_t *out)
{
    struct cudaChannelFormatDesc format = {0};
    struct run_message m = REQUEST(TEXTURE);
    cudaError_t error = describe(r, m.number, &format);
    if (!error && view && view->format != cudaResViewFormatNone)
        error = describe_view(r, view, m.number, &format);
    if (error == cudaErrorNotSupported)
        return run_lacking("cudaCreateTextureObject with layers of several levels");
    if (!error) {
        m.number[CHANNEL] = channel_of(&format);
        m.number[CHANNELS] = array_channels(&format);
    }
    m.number[SURFACE] = is_surface;
    const bool is_float = format.f == cudaChannelFormatKindFloat;
    if (!error && how->readMode == cudaReadModeNormalizedFloat && !is_float && format.x == 32)
        error = cudaErrorInvalidNormSetting;
    if (!error && !m.number[MEMORY] && how->filterMode == cudaFilterModeLinear && !is_float &&
        how->readMode != cudaReadModeNormalizedFloat)
        error = cudaErrorInvalidFilterSetting;
    struct made *o = malloc(sizeof *o);
    if (!error && !o)
        error = cudaErrorMemoryAllocation;
    error = error ? run_failed(name, error)
                  : run_call_with(name, &m, how, sizeof *how, NULL, 0);
    if (error) {
        free(o);
        return error;
    }
    *o = (struct made){.handle = m.number[0], .is_surface = is_surface, .resource = *r, .how = *how,
                       .has_view = view != NULL};
    if (view)
        o->view = *view;
    pthread_mutex_lock(&objects.lock);
    o->next = objects.first;
    objects.first = o;
    pthread_mutex_unlock(&objects.lock);
    *out = m.number[0];
    return cudaSuccess;
}

static cudaError_t end(const char *name, uint64_t handle, bool is_surface)
{
    struct made *o = find(handle, is_surface);
    if (!handle)
        return cudaSuccess;
    if (!o)
        return run_failed(name, cudaErrorInvalidValue);
    pthread_mutex_lock(&objects.lock);
    struct made **at = &objects.first;
    while (*at != o)
        at = &(*at)->next;
    *at = o->next;
    pthread_mutex_unlock(&objects.lock);
    free(o);
    return run_call(name, &REQUEST(TEXTURE_END, handle));
}

/* ---- textures -------------------------------------------------------------------------- */

API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out, const struct cudaResourceDesc *r,
                                        const struct cudaTextureDesc *how,
                                        const struct cudaResourceViewDesc *view)
{
    if (!out || !r || !how)
        return run_failed(__func__, cudaErrorInvalidValue);
    if (how->sRGB)
        return run_lacking("cudaCreateTextureObject for sRGB");
    if (r->resType == cudaResourceTypeMipmappedArray && !how->normalizedCoords)
        return run_failed(__func__, cudaErrorInvalidValue);
    uint64_t handle;
    cudaError_t error = make(__func__, r, how, view, false, &handle);
    if (!error)
        *out = handle;
    return error;
}

API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t) { return end(__func__, t, false); }

API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out,
                                                 cudaTextureObject_t t)
{
    const struct made *o = find(t, false);
    if (!out || !o)
        return run_failed(__func__, cudaErrorInvalidValue);
    *out = o->resource;
    return cudaSuccess;
}

API cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *out,
                                                     cudaTextureObject_t t)
{
    const struct made *o = find(t, false);
    if (!out || !o || !o->has_view)
        return run_failed(__func__, cudaErrorInvalidValue);
    *out = o->view;
    return cudaSuccess;
}

API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out, cudaTextureObject_t t)
{
    const struct made *o = find(t, false);
    if (!out || !o)
        return run_failed(__func__, cudaErrorInvalidValue);
    *out = o->how;
    return cudaSuccess;
}

/* ---- surfaces -------------------------------------------------------------------------- */

API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out, const struct cudaResourceDesc *r)
{
    const struct cudaTextureDesc how = {.readMode = cudaReadModeElementType};
    const bool of_array = r && r->resType == cudaResourceTypeArray;
    const struct cuda_array *a = of_array ? array_of(r->res.array.array) : NULL;
    if (!out || !a || !(a->flags & cudaArraySurfaceLoadStore))
        return run_failed(__func__, cudaErrorInvalidValue);
    uint64_t handle;
    cudaError_t error = make(__func__, r, &how, NULL, true, &handle);
    if (!error)
        *out = handle;
    return error;
}

API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s) { return end(__func__, s, true); }

API cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out,
                                                 cudaSurfaceObject_t s)
{
    const struct made *o = find(s, true);
    if (!out || !o)
        return run_failed(__func__, cudaErrorInvalidValue);
    *out = o->resource;
    return cudaSuccess;
}
