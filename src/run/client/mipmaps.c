/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mipmapped arrays: one piece of memory, in which each level is an array.
 */
#include "run/client/array.h"
#include "run/memory.h"

#include <pthread.h>
#include <stdlib.h>

static struct { pthread_mutex_t lock; struct cuda_mipmap *first; } mipmaps = {
    .lock = PTHREAD_MUTEX_INITIALIZER};

struct cuda_mipmap *mipmap_of(cudaMipmappedArray_const_t handle)
{
    pthread_mutex_lock(&mipmaps.lock);
    struct cuda_mipmap *m = mipmaps.first;
    while (m && (const void *)m != (const void *)handle)
        m = m->next;
    pthread_mutex_unlock(&mipmaps.lock);
    return m;
}

static size_t halved(size_t n, unsigned level)
{
    return n && n >> level == 0 ? 1 : n >> level;
}

/* Layers and faces stay; what else there is has half as many texels as in the level before. */
static struct cudaExtent extent_of(const struct cudaExtent *e, unsigned flags, unsigned level)
{
    const bool has_layers = flags & (cudaArrayLayered | cudaArrayCubemap);
    return (struct cudaExtent){halved(e->width, level), halved(e->height, level),
                               has_layers ? e->depth : halved(e->depth, level)};
}

static unsigned most_levels(const struct cudaExtent *e, unsigned flags)
{
    const bool has_layers = flags & (cudaArrayLayered | cudaArrayCubemap);
    size_t longest = e->width > e->height ? e->width : e->height;
    unsigned levels = 1;
    if (!has_layers && e->depth > longest)
        longest = e->depth;
    for (; longest > 1; longest /= 2)
        levels++;
    return levels;
}

static void drop(struct cuda_mipmap *m)
{
    for (unsigned i = 0; i < m->levels && m->level; i++)
        if (m->level[i])
            array_drop(m->level[i]);
    free(m->level);
    free(m);
}

/* The levels get handles. False: memory is out. */
static bool keep_levels(struct cuda_mipmap *m)
{
    const struct cuda_array *w = &m->whole;
    uint64_t address = w->address;
    size_t bytes;
    bool kept = true;
    for (unsigned i = 0; i < m->levels && kept; i++, address += bytes) {
        struct cuda_array level;
        kept = array_plan(&w->format, extent_of(&w->extent, w->flags, i), w->flags, &level,
                          &bytes) == cudaSuccess;
        level.address = address;
        level.is_level = true;
        m->level[i] = kept ? array_keep(&level) : NULL;
        kept = m->level[i] != NULL;
    }
    return kept;
}

/* The bytes of all levels; an error: there is no such array. */
static cudaError_t plan(const struct cudaChannelFormatDesc *format, struct cudaExtent e,
                        unsigned flags, unsigned levels, struct cuda_array *whole, size_t *bytes)
{
    cudaError_t error = cudaSuccess;
    size_t one;
    *bytes = 0;
    for (unsigned i = levels; i-- > 0 && !error; *bytes += one) /* the first comes last */
        error = array_plan(format, extent_of(&e, flags, i), flags, whole, &one);
    return error;
}

API cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *out,
                                         const struct cudaChannelFormatDesc *format,
                                         struct cudaExtent e, unsigned levels, unsigned flags)
{
    const unsigned most = most_levels(&e, flags);
    struct cuda_array whole;
    size_t bytes;
    levels = levels < 1 ? 1 : levels > most ? most : levels;
    cudaError_t error = out ? plan(format, e, flags, levels, &whole, &bytes)
                            : cudaErrorInvalidValue;
    if (error)
        return run_failed(__func__, error);
    struct cuda_mipmap *m = calloc(1, sizeof *m);
    if (m)
        m->level = calloc(levels, sizeof(struct cuda_array *));
    if (!m || !m->level) {
        free(m);
        return run_failed(__func__, cudaErrorMemoryAllocation);
    }
    struct run_message r = REQUEST(ALLOCATE, bytes, MEMORY_DEVICE, 0, 0, RUN_NO_STREAM);
    error = run_call(__func__, &r);
    m->whole = whole;
    m->whole.address = r.number[0];
    m->levels = error ? 0 : levels;
    if (!error && !keep_levels(m)) {
        CALL(RELEASE, m->whole.address, MEMORY_DEVICE, RUN_NO_STREAM);
        error = run_failed(__func__, cudaErrorMemoryAllocation);
    }
    if (error) {
        drop(m);
        return error;
    }
    pthread_mutex_lock(&mipmaps.lock);
    m->next = mipmaps.first;
    mipmaps.first = m;
    pthread_mutex_unlock(&mipmaps.lock);
    *out = (cudaMipmappedArray_t)(void *)m;
    return cudaSuccess;
}

API cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *out, cudaMipmappedArray_const_t handle,
                                           unsigned level)
{
    const struct cuda_mipmap *m = mipmap_of(handle);
    if (!out || !m || level >= m->levels)
        return run_failed(__func__, m ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *out = (cudaArray_t)(void *)m->level[level];
    return cudaSuccess;
}

API cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t handle)
{
    struct cuda_mipmap *m = mipmap_of(handle);
    if (!handle)
        return cudaSuccess;
    if (!m)
        return run_failed(__func__, cudaErrorInvalidResourceHandle);
    cudaError_t error = CALL(RELEASE, m->whole.address, MEMORY_DEVICE, RUN_NO_STREAM);
    pthread_mutex_lock(&mipmaps.lock);
    struct cuda_mipmap **at = &mipmaps.first;
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    pthread_mutex_unlock(&mipmaps.lock);
    drop(m);
    return error;
}
