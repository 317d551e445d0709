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
static bool take_buffer(void **extra, struct kernel_launch *l)
{
    for (; number_of(*extra) != EXTRA_END; extra += 2) {
        if (number_of(*extra) == EXTRA_BUFFER)
            l->buffer = extra[1];
        else if (number_of(*extra) == EXTRA_SIZE)
            l->buffer_bytes = *(size_t *)extra[1];
        else
            return false;
    }
    return true;
}

/* ---- launches -------------------------------------------------------------------------- */

static CUresult launch(const char *name, struct kernel_launch *l, void **params, void **extra)
{
    CUresult error = run_driver_ready();
    if (!error && ((params && extra) || (extra && !take_buffer(extra, l))))
        error = CUDA_ERROR_INVALID_VALUE;
    if (error)
        return run_driver_failed(name, error);
    run_called_as = name;
    error = run_driver_result(run_launch(name, l, params));
    run_called_as = NULL;
    return error;
}

#define PLACE unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz
#define OF_PLACE .function = f, .grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared, \
                 .stream = stream

API CUresult cuLaunchKernel(CUfunction f, PLACE, unsigned shared, CUstream stream, void **params,
                            void **extra)
{
    return launch(__func__, &(struct kernel_launch){OF_PLACE}, params, extra);
}

API CUresult cuLaunchCooperativeKernel(CUfunction f, PLACE, unsigned shared, CUstream stream,
                                       void **params)
{
    return launch(__func__, &(struct kernel_launch){OF_PLACE, .cooperative = true}, params, NULL);
}

/* CUlaunchConfig */
struct driver_launch {
    unsigned grid[3], block[3], shared;
    CUstream stream;
    const cudaLaunchAttribute *attributes;
    unsigned attribute_count;
};

static struct kernel_launch launch_of(const struct driver_launch *c, CUfunction f)
{
    return (struct kernel_launch){
        .function = f, .grid = {c->grid[0], c->grid[1], c->grid[2]},
        .block = {c->block[0], c->block[1], c->block[2]}, .shared = c->shared,
        .stream = c->stream};
}

API CUresult cuLaunchKernelEx(const struct driver_launch *c, CUfunction f, void **params,
                              void **extra)
{
    if (!c)
        return run_driver_failed(__func__, CUDA_ERROR_INVALID_VALUE);
    struct kernel_launch l = launch_of(c, f);
    return run_read_attributes(c->attributes, c->attribute_count, &l)
               ? launch(__func__, &l, params, extra)
               : run_driver_lacking("cuLaunchKernelEx with events");
}

/* ---- attributes ------------------------------------------------------------------------ */

enum function_attribute {
    OF_THREADS, OF_SHARED, OF_CONSTANT, OF_LOCAL, OF_REGISTERS, OF_PTX, OF_BINARY, OF_CACHE,
    OF_DYNAMIC_SHARED, OF_CARVEOUT, OF_CLUSTER_MUST, OF_CLUSTER_WIDTH, OF_CLUSTER_HEIGHT,
    OF_CLUSTER_DEPTH, OF_CLUSTER_LARGE, OF_CLUSTER_POLICY
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
        [OF_CARVEOUT] = a.preferredShmemCarveout, [OF_CLUSTER_MUST] = a.clusterDimMustBeSet,
        [OF_CLUSTER_WIDTH] = a.requiredClusterWidth, [OF_CLUSTER_HEIGHT] = a.requiredClusterHeight,
        [OF_CLUSTER_DEPTH] = a.requiredClusterDepth,
        [OF_CLUSTER_LARGE] = a.nonPortableClusterSizeAllowed,
        [OF_CLUSTER_POLICY] = a.clusterSchedulingPolicyPreference};
    if ((unsigned)which > OF_CLUSTER_POLICY)
        return run_driver_failed(name, CUDA_ERROR_INVALID_VALUE);
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

typedef size_t (*shared_of_block)(int threads);

/* The largest block among those with the most threads on a multiprocessor. */
static CUresult best_block(const char *name, int *grid, int *block, CUfunction f,
                           shared_of_block needs, size_t shared, int most)
{
    struct cudaDeviceProp p;
    int blocks = 0, best = 0, of_kernel;
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

API CUresult cuOccupancyMaxPotentialClusterSize(int *blocks, CUfunction f,
                                                const struct driver_launch *c)
{
    const struct called_kernel *k = run_driver_kernel(f);
    if (!k || !blocks || !c)
        return run_driver_failed(__func__, k ? CUDA_ERROR_INVALID_VALUE
                                             : CUDA_ERROR_INVALID_HANDLE);
    struct run_message m = REQUEST(CLUSTER, k->number,
                                   (uint64_t)c->block[0] * c->block[1] * c->block[2], c->shared);
    CUresult error = run_driver(__func__, &m);
    if (!error)
        *blocks = (int)m.number[0];
    return error;
}
