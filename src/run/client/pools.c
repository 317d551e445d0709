/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pools of memory. Memory of a pool is memory of the device, and a pool only counts it.
 */
#include "run/client/client.h"

#define DEFAULT_POOL ((cudaMemPool_t)1)

static cudaMemPool_t current = DEFAULT_POOL; /* cudaMallocAsync() takes from it */

cudaMemPool_t run_current_pool(void)
{
    return current;
}

API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    if (!pool || device != 0)
        return run_failed(__func__, pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *pool = DEFAULT_POOL;
    return cudaSuccess;
}

API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    if (!pool || device != 0)
        return run_failed(__func__, pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *pool = current;
    return cudaSuccess;
}

API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    struct run_message m = REQUEST(POOL_ATTRIBUTE, number_of(pool), cudaMemPoolAttrUsedMemCurrent);
    if (device != 0)
        return run_failed(__func__, cudaErrorInvalidDevice);
    cudaError_t error = run_call(__func__, &m);
    if (!error)
        current = pool;
    return error;
}

static bool is_device(const struct cudaMemLocation *l)
{
    return l->type == cudaMemLocationTypeDevice && l->id == 0;
}

API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *p)
{
    if (!pool || !p || p->allocType != cudaMemAllocationTypePinned)
        return run_failed(__func__, cudaErrorInvalidValue);
    if (p->handleTypes || !is_device(&p->location))
        return run_lacking("cudaMemPoolCreate of memory that is shared, or not the device's");
    return run_make(__func__, (void **)pool, REQUEST(POOL, p->maxSize));
}

API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    cudaError_t error = CALL(POOL_END, number_of(pool));
    if (!error && current == pool)
        current = DEFAULT_POOL;
    return error;
}

/* A place has a pool of each kind of memory. Only that of the device's own is served. */
static bool has_pool(const char *name, const struct cudaMemLocation *where,
                     enum cudaMemAllocationType type, cudaError_t *error)
{
    if (!where || (type != cudaMemAllocationTypePinned && type != cudaMemAllocationTypeManaged))
        *error = run_failed(name, cudaErrorInvalidValue);
    else if (where->type == cudaMemLocationTypeDevice && where->id != 0)
        *error = run_failed(name, cudaErrorInvalidDevice);
    else if (!is_device(where) || type != cudaMemAllocationTypePinned)
        *error = run_lacking("pools of the host's or of managed memory");
    else
        return true;
    return false;
}

API cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, struct cudaMemLocation *where,
                                         enum cudaMemAllocationType type)
{
    cudaError_t error;
    return has_pool(__func__, where, type, &error) ? cudaDeviceGetDefaultMemPool(pool, 0) : error;
}

API cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *where,
                                  enum cudaMemAllocationType type)
{
    cudaError_t error;
    return has_pool(__func__, where, type, &error) ? cudaDeviceGetMemPool(pool, 0) : error;
}

API cudaError_t cudaMemSetMemPool(struct cudaMemLocation *where, enum cudaMemAllocationType type,
                                  cudaMemPool_t pool)
{
    cudaError_t error;
    return has_pool(__func__, where, type, &error) ? cudaDeviceSetMemPool(0, pool) : error;
}

/* The three ways of using memory again are ints, all others numbers of 64 bits. */
static bool is_int(enum cudaMemPoolAttr id)
{
    return id <= cudaMemPoolReuseAllowInternalDependencies;
}

API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr id, void *value)
{
    struct run_message m = REQUEST(POOL_ATTRIBUTE, number_of(pool), id);
    if (!value)
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &m);
    if (error)
        return error;
    if (is_int(id))
        *(int *)value = (int)m.number[0];
    else
        *(uint64_t *)value = m.number[0];
    return cudaSuccess;
}

API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr id, void *value)
{
    if (!value)
        return run_failed(__func__, cudaErrorInvalidValue);
    return CALL(POOL_ATTRIBUTE, number_of(pool), id, true,
                is_int(id) ? (uint64_t)*(int *)value : *(uint64_t *)value);
}

API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t kept)
{
    return CALL(POOL_TRIM, number_of(pool), kept);
}

/* A device always reads and writes its own pools. */
API cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *out, cudaMemPool_t pool,
                                     struct cudaMemLocation *where)
{
    struct run_message m = REQUEST(POOL_ATTRIBUTE, number_of(pool), cudaMemPoolAttrUsedMemCurrent);
    if (!out || !where || !is_device(where))
        return run_failed(__func__, cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &m);
    if (!error)
        *out = cudaMemAccessFlagsProtReadWrite;
    return error;
}

API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                     size_t count)
{
    struct run_message m = REQUEST(POOL_ATTRIBUTE, number_of(pool), cudaMemPoolAttrUsedMemCurrent);
    for (size_t i = 0; i < count; i++)
        if (!list || !is_device(&list[i].location) ||
            list[i].flags != cudaMemAccessFlagsProtReadWrite)
            return run_failed(__func__, cudaErrorInvalidValue);
    return run_call(__func__, &m);
}

/* ---- memory of graphs ------------------------------------------------------------------ */

API cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType id,
                                               void *value)
{
    struct run_message m = REQUEST(GRAPH_MEMORY, id);
    if (!value || device != 0)
        return run_failed(__func__, value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    cudaError_t error = run_call(__func__, &m);
    if (!error)
        *(uint64_t *)value = m.number[0];
    return error;
}

/* The high marks can only be set to 0. */
API cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType id,
                                               void *value)
{
    if (!value || device != 0)
        return run_failed(__func__, value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    if (*(uint64_t *)value ||
        (id != cudaGraphMemAttrUsedMemHigh && id != cudaGraphMemAttrReservedMemHigh))
        return run_failed(__func__, cudaErrorInvalidValue);
    return CALL(GRAPH_MEMORY, id, true);
}

API cudaError_t cudaDeviceGraphMemTrim(int device)
{
    return device == 0 ? CALL(GRAPH_MEMORY, cudaGraphMemAttrReservedMemCurrent, true)
                       : run_failed(__func__, cudaErrorInvalidDevice);
}
