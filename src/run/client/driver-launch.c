/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Launches by the driver API, and what is known of a kernel.
 */
#include "run/client/driver.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters ------------------------------------------------------------------------ */

enum extra_kind { EXTRA_END, EXTRA_BUFFER, EXTRA_SIZE };

/* One buffer that has all parameters: {BUFFER_POINTER, its address, BUFFER_SIZE, &size, END}. */
static CUresult take_buffer(const struct called_kernel *k, void **extra, char *to)
{
    const void *buffer = NULL;
    size_t size = 0;
    for (; number_of(*extra) != EXTRA_END; extra += 2) {
        if (number_of(*extra) == EXTRA_BUFFER)
            buffer = extra[1];
        else if (number_of(*extra) == EXTRA_SIZE)
            size = *(size_t *)extra[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (!buffer || size < k->bytes)
        return k->bytes ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    memcpy(to, buffer, k->bytes);
    return CUDA_SUCCESS;
}

static CUresult take_params(const struct called_kernel *k, void **params, void **extra, char *to)
{
    if (params && extra)
        return CUDA_ERROR_INVALID_VALUE;
    if (extra)
        return take_buffer(k, extra, to);
    if (!params && k->params)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < k->params; i++)
        memcpy(to + k->at[i][0], params[i], k->at[i][1]);
    return CUDA_SUCCESS;
}

/* ---- launches -------------------------------------------------------------------------- */

/* CUlaunchConfig */
struct driver_launch {
    unsigned grid[3], block[3], shared;
    CUstream stream;
    const cudaLaunchAttribute *attributes;
    unsigned attribute_count;
};

/* What the attributes of a launch say. */
struct launch_how { uint64_t cooperative, cluster[3], priority; };

static CUresult launch(const char *name, CUfunction f, const struct driver_launch *l, void **params,
                       void **extra, const struct launch_how *how)
{
    const struct called_kernel *k = run_driver_kernel(f);
    CUresult error = run_driver_ready();
    if (!error && !k)
        error = CUDA_ERROR_INVALID_HANDLE;
    char *all = error ? NULL : calloc(1, k->bytes + 1);
    if (!error)
        error = all ? take_params(k, params, extra, all) : CUDA_ERROR_OUT_OF_MEMORY;
    if (error) {
        free(all);
        return run_driver_failed(name, error);
    }
    struct run_message m = REQUEST(LAUNCH, k->number, l->grid[0], l->grid[1], l->grid[2],
                                   l->block[0], l->block[1], l->block[2], l->shared,
                                   number_of(l->stream), how->cooperative, how->cluster[0],
                                   how->cluster[1], how->cluster[2], how->priority);
    error = run_driver_with(name, &m, all, k->bytes, NULL, 0);
    free(all);
    return error;
}

API CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                            unsigned by, unsigned bz, unsigned shared, CUstream stream,
                            void **params, void **extra)
{
    const struct driver_launch l = {{gx, gy, gz}, {bx, by, bz}, shared, stream, NULL, 0};
    return launch(__func__, f, &l, params, extra, &(struct launch_how){0});
}

API CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                                       unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                       CUstream stream, void **params)
{
    const struct driver_launch l = {{gx, gy, gz}, {bx, by, bz}, shared, stream, NULL, 0};
    return launch(__func__, f, &l, params, NULL, &(struct launch_how){.cooperative = 1});
}

API CUresult cuLaunchKernelEx(const struct driver_launch *l, CUfunction f, void **params,
                              void **extra)
{
    struct launch_how how = {0};
    if (!l)
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    for (unsigned i = 0; i < l->attribute_count; i++) {
        const cudaLaunchAttributeValue *v = &l->attributes[i].val;
        switch (l->attributes[i].id) {
        case cudaLaunchAttributeCooperative: how.cooperative = v->cooperative != 0; break;
        case cudaLaunchAttributePriority: how.priority = (uint64_t)(int64_t)v->priority; break;
        case cudaLaunchAttributeClusterDimension:
            how.cluster[0] = v->clusterDim.x;
            how.cluster[1] = v->clusterDim.y;
            how.cluster[2] = v->clusterDim.z;
            break;
        case cudaLaunchAttributeProgrammaticEvent:
        case cudaLaunchAttributeLaunchCompletionEvent:
            return run_driver_lacking("cuLaunchKernelEx with events");
        default: break; /* of the others none changes a result */
        }
    }
    return launch(__func__, f, l, params, extra, &how);
}

/* ---- attributes ------------------------------------------------------------------------ */

enum function_attribute {
    OF_THREADS, OF_SHARED, OF_CONSTANT, OF_LOCAL, OF_REGISTERS, OF_PTX, OF_BINARY, OF_CACHE,
    OF_DYNAMIC_SHARED, OF_CARVEOUT
};

static CUresult get_attribute(const char *name, int *out, int which, CUfunction f)
{
    struct cudaFuncAttributes a;
    const struct called_kernel *k = run_driver_kernel(f);
    if (!k || !out)
        return run_driver_failed(name, k ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
    CUresult error = run_driver_with(name, &REQUEST(FUNCTION, k->number), NULL, 0, &a, sizeof a);
    if (error)
        return error;
    const int values[] = {
        [OF_THREADS] = a.maxThreadsPerBlock, [OF_SHARED] = (int)a.sharedSizeBytes,
        [OF_CONSTANT] = (int)a.constSizeBytes, [OF_LOCAL] = (int)a.localSizeBytes,
        [OF_REGISTERS] = a.numRegs, [OF_PTX] = a.ptxVersion, [OF_BINARY] = a.binaryVersion,
        [OF_CACHE] = a.cacheModeCA, [OF_DYNAMIC_SHARED] = a.maxDynamicSharedSizeBytes,
        [OF_CARVEOUT] = a.preferredShmemCarveout};
    if ((unsigned)which > OF_CARVEOUT)
        return run_driver_lacking("cuFuncGetAttribute of clusters");
    *out = values[which];
    return CUDA_SUCCESS;
}

API CUresult cuFuncGetAttribute(int *out, int which, CUfunction f)
{
    return get_attribute(__func__, out, which, f);
}

API CUresult cuKernelGetAttribute(int *out, int which, CUfunction f, CUdevice device)
{
    (void)device;
    return get_attribute(__func__, out, which, f);
}

static CUresult set_attribute(const char *name, CUfunction f, int which, int value)
{
    const struct called_kernel *k = run_driver_kernel(f);
    if (!k)
        return run_driver_failed(name, CUDA_ERROR_INVALID_HANDLE);
    if (which < OF_DYNAMIC_SHARED) /* these can only be asked for */
        return run_driver_failed(name, CUDA_ERROR_INVALID_VALUE);
    return run_driver(name, &REQUEST(FUNCTION_SET, k->number, (uint64_t)which,
                                     (uint64_t)(int64_t)value));
}

API CUresult cuFuncSetAttribute(CUfunction f, int which, int value)
{
    return set_attribute(__func__, f, which, value);
}

API CUresult cuKernelSetAttribute(int which, int value, CUfunction f, CUdevice device)
{
    (void)device;
    return set_attribute(__func__, f, which, value);
}

/* A cache that is larger or smaller changes no result. */
API CUresult cuFuncSetCacheConfig(CUfunction f, int config)
{
    (void)config;
    return run_driver_kernel(f) ? CUDA_SUCCESS
                                : run_driver_failed(__func__, CUDA_ERROR_INVALID_HANDLE);
}

API CUresult cuKernelSetCacheConfig(CUfunction f, int config, CUdevice device)
{
    (void)device;
    return cuFuncSetCacheConfig(f, config);
}

/* ---- occupancy ------------------------------------------------------------------------- */

static CUresult occupancy(const char *name, int *blocks, CUfunction f, int threads, size_t shared)
{
    const struct called_kernel *k = run_driver_kernel(f);
    if (!k || !blocks || threads <= 0)
        return run_driver_failed(name, k ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
    struct run_message m = REQUEST(OCCUPANCY, k->number, (uint64_t)threads, shared);
    CUresult error = run_driver(name, &m);
    *blocks = error ? 0 : (int)m.number[0];
    return error;
}

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int threads,
                                                         size_t shared)
{
    return occupancy(__func__, blocks, f, threads, shared);
}

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction f,
                                                                  int threads, size_t shared,
                                                                  unsigned flags)
{
    (void)flags;
    return occupancy(__func__, blocks, f, threads, shared);
}

typedef size_t (*shared_of_block)(int threads);

/* The largest block among those with the most threads on a multiprocessor. */
static CUresult best_block(const char *name, int *grid, int *block, CUfunction f,
                           shared_of_block needs, size_t shared, int most)
{
    struct cudaDeviceProp p;
    int blocks, best = 0, of_kernel;
    if (!grid || !block)
        return run_driver_failed(name, CUDA_ERROR_INVALID_VALUE);
    CUresult error = get_attribute(name, &of_kernel, OF_THREADS, f);
    if (!error)
        error = run_driver_with(name, &REQUEST(PROPERTIES), NULL, 0, &p, sizeof p);
    if (error)
        return error;
    if (most <= 0 || most > of_kernel)
        most = of_kernel;
    int threads = (most + p.warpSize - 1) / p.warpSize * p.warpSize;
    for (; threads > 0 && !error; threads -= p.warpSize) {
        const int now = threads < most ? threads : most;
        error = occupancy(name, &blocks, f, now, needs ? needs(now) : shared);
        if (error || blocks * now <= best)
            continue;
        best = blocks * now;
        *block = now;
        *grid = blocks * p.multiProcessorCount;
        if (best == p.maxThreadsPerMultiProcessor)
            break;
    }
    return error;
}

API CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f,
                                              shared_of_block needs, size_t shared, int most)
{
    return best_block(__func__, grid, block, f, needs, shared, most);
}

API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction f,
                                                       shared_of_block needs, size_t shared,
                                                       int most, unsigned flags)
{
    (void)flags;
    return best_block(__func__, grid, block, f, needs, shared, most);
}

