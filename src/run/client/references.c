/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Textures and surfaces by reference, which programs of CUDA 11 have. A reference is a variable of
 * the program, and one of the device. Binding makes an object, and the device's variable gets its
 * handle.
 */
#include "run/client/array.h"
#include "run/memory.h"

#include <pthread.h>
#include <stdlib.h>

struct textureReference {
    int normalized;
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureAddressMode addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, reserved[14];
};
struct surfaceReference { struct cudaChannelFormatDesc channelDesc; };

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *, const struct cudaResourceDesc *,
                                    const struct cudaTextureDesc *,
                                    const struct cudaResourceViewDesc *);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *, const struct cudaResourceDesc *);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int);

struct bound_reference {
    const void *host;
    bool is_surface, as_float; /* as_float: integers are read as numbers up to 1 */
    unsigned long long bound;  /* the object; 0: none */
    struct bound_reference *next;
};

static struct { pthread_mutex_t lock; struct bound_reference *first; } references = {
    .lock = PTHREAD_MUTEX_INITIALIZER};

static struct bound_reference *reference_of(const void *host)
{
    pthread_mutex_lock(&references.lock);
    struct bound_reference *r = references.first;
    while (r && r->host != host)
        r = r->next;
    pthread_mutex_unlock(&references.lock);
    return r;
}

/* The variable has the size of a handle. */
static void add(void **module, const void *host, const char *name, bool is_surface, bool as_float)
{
    struct bound_reference *r = malloc(sizeof *r);
    if (!r)
        return;
    *r = (struct bound_reference){.host = host, .is_surface = is_surface, .as_float = as_float};
    pthread_mutex_lock(&references.lock);
    r->next = references.first;
    references.first = r;
    pthread_mutex_unlock(&references.lock);
    __cudaRegisterVar(module, (char *)(uintptr_t)host, NULL, name, 0, sizeof r->bound, 0, 0);
}

API void __cudaRegisterTexture(void **module, const struct textureReference *host,
                               const void **device, const char *name, int axes, int as_float,
                               int external)
{
    (void)device, (void)axes, (void)external;
    add(module, host, name, false, as_float != 0);
}

API void __cudaRegisterSurface(void **module, const struct surfaceReference *host,
                               const void **device, const char *name, int axes, int external)
{
    (void)device, (void)axes, (void)external;
    add(module, host, name, true, false);
}

/* ---- binding --------------------------------------------------------------------------- */

/* The reference means this object from now on; 0: none. The one before it ends. */
static cudaError_t bind(const char *name, struct bound_reference *r, unsigned long long object)
{
    uint64_t address, size;
    cudaError_t error = run_variable_of(r->host, &address, &size);
    error = error ? run_failed(name, error) : run_call(name, &REQUEST(BIND, address, object));
    if (error)
        return error;
    const unsigned long long before = r->bound;
    r->bound = object;
    return !before ? cudaSuccess
           : r->is_surface ? cudaDestroySurfaceObject(before) : cudaDestroyTextureObject(before);
}

static cudaError_t bind_texture(const char *name, const struct textureReference *t,
                                const struct cudaResourceDesc *what)
{
    struct bound_reference *r = reference_of(t);
    if (!r || r->is_surface)
        return run_failed(name, cudaErrorInvalidTexture);
    const struct cudaTextureDesc how = {
        .addressMode = {t->addressMode[0], t->addressMode[1], t->addressMode[2]},
        .filterMode = t->filterMode,
        .readMode = r->as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
        .sRGB = t->sRGB, .normalizedCoords = t->normalized, .maxAnisotropy = t->maxAnisotropy,
        .mipmapFilterMode = t->mipmapFilterMode, .mipmapLevelBias = t->mipmapLevelBias,
        .minMipmapLevelClamp = t->minMipmapLevelClamp,
        .maxMipmapLevelClamp = t->maxMipmapLevelClamp};
    cudaTextureObject_t object;
    cudaError_t error = cudaCreateTextureObject(&object, what, &how, NULL);
    return error ? error : bind(name, r, object);
}

/* A size that is too large means the rest of the array. Addresses need no rounding, so the offset
 * is 0. */
API cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *t, const void *at,
                                const struct cudaChannelFormatDesc *format, size_t n)
{
    struct run_message m = REQUEST(POINTER, number_of(at));
    if (!format)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &m);
    if (error)
        return error;
    const uint64_t left = m.number[1] + m.number[2] - number_of(at);
    const struct cudaResourceDesc what = {
        .resType = cudaResourceTypeLinear,
        .res.linear = {(void *)(uintptr_t)at, *format,
                       m.number[0] != MEMORY_NONE && n > left ? (size_t)left : n}};
    if (offset)
        *offset = 0;
    return bind_texture(__func__, t, &what);
}

API cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *t,
                                  const void *at, const struct cudaChannelFormatDesc *format,
                                  size_t width, size_t height, size_t pitch)
{
    if (!format)
        return run_failed(__func__, cudaErrorInvalidValue);
    const struct cudaResourceDesc what = {
        .resType = cudaResourceTypePitch2D,
        .res.pitch2D = {(void *)(uintptr_t)at, *format, width, height, pitch}};
    if (offset)
        *offset = 0;
    return bind_texture(__func__, t, &what);
}

API cudaError_t cudaBindTextureToArray(const struct textureReference *t, cudaArray_const_t array,
                                       const struct cudaChannelFormatDesc *format)
{
    const struct cudaResourceDesc what = {.resType = cudaResourceTypeArray,
                                          .res.array = {(cudaArray_t)(uintptr_t)array}};
    (void)format; /* the array has it */
    return bind_texture(__func__, t, &what);
}

API cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *t,
                                                cudaMipmappedArray_const_t array,
                                                const struct cudaChannelFormatDesc *format)
{
    const struct cudaResourceDesc what = {
        .resType = cudaResourceTypeMipmappedArray,
        .res.mipmap = {(cudaMipmappedArray_t)(uintptr_t)array}};
    (void)format;
    return bind_texture(__func__, t, &what);
}

API cudaError_t cudaUnbindTexture(const struct textureReference *t)
{
    struct bound_reference *r = reference_of(t);
    if (!r || r->is_surface)
        return run_failed(__func__, cudaErrorInvalidTexture);
    return r->bound ? bind(__func__, r, 0) : cudaSuccess;
}

API cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *t)
{
    const struct bound_reference *r = reference_of(t);
    if (!offset || !r || !r->bound)
        return run_failed(__func__, r && offset ? cudaErrorInvalidTextureBinding
                                                : cudaErrorInvalidTexture);
    *offset = 0;
    return cudaSuccess;
}

API cudaError_t cudaGetTextureReference(const struct textureReference **out, const void *symbol)
{
    const struct bound_reference *r = reference_of(symbol);
    if (!out || !r || r->is_surface)
        return run_failed(__func__, cudaErrorInvalidTexture);
    *out = symbol;
    return cudaSuccess;
}

API cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *s, cudaArray_const_t array,
                                       const struct cudaChannelFormatDesc *format)
{
    struct bound_reference *r = reference_of(s);
    const struct cudaResourceDesc what = {.resType = cudaResourceTypeArray,
                                          .res.array = {(cudaArray_t)(uintptr_t)array}};
    cudaSurfaceObject_t object;
    (void)format;
    if (!r || !r->is_surface)
        return run_failed(__func__, cudaErrorInvalidSurface);
    cudaError_t error = cudaCreateSurfaceObject(&object, &what);
    return error ? error : bind(__func__, r, object);
}

API cudaError_t cudaGetSurfaceReference(const struct surfaceReference **out, const void *symbol)
{
    const struct bound_reference *r = reference_of(symbol);
    if (!out || !r || !r->is_surface)
        return run_failed(__func__, cudaErrorInvalidSurface);
    *out = symbol;
    return cudaSuccess;
}
