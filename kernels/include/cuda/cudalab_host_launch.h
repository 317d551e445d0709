/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels by their own type, for the host: launches by a configuration and what is known of a
 * kernel; part of the stand-in cuda_runtime.h. They are templates, since a kernel may have a lambda
 * among its parameters.
 */
#ifndef CUDALAB_HOST_LAUNCH_H
#define CUDALAB_HOST_LAUNCH_H

/* ---- Launches ---- */

template <class T>
CUDALAB_HOST_FN cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                             size_t shared = 0, cudaStream_t stream = 0)
{ return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block,
                                                        void **arguments, size_t shared = 0,
                                                        cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared,
                                       stream);
}

/* The arguments have become the kernel's own types. */
template <class... Wanted>
CUDALAB_HOST_FN cudaError_t cudalab_launch(const cudaLaunchConfig_t *config,
                                           void (*kernel)(Wanted...), Wanted... values)
{
    void *at[] = {(void *)__builtin_addressof(values)..., 0};
    return cudaLaunchKernelExC(config, (const void *)kernel, at);
}
template <class... Wanted, class... Given>
CUDALAB_HOST_FN cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                               void (*kernel)(Wanted...), Given &&...given)
{ return cudalab_launch<Wanted...>(config, kernel, static_cast<Given &&>(given)...); }

/* ---- What is known of a kernel ---- */

template <class T>
CUDALAB_HOST_FN cudaError_t cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute,
                                                 int value)
{ return cudaFuncSetAttribute((const void *)kernel, attribute, value); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config)
{ return cudaFuncSetSharedMemConfig((const void *)kernel, config); }
template <class T> CUDALAB_HOST_FN cudaError_t cudaFuncGetName(const char **name, T *kernel)
{ return cudaFuncGetName(name, (const void *)kernel); }
template <class T> CUDALAB_HOST_FN cudaError_t cudaGetFuncBySymbol(cudaFunction_t *out, T *kernel)
{ return cudaGetFuncBySymbol(out, (const void *)kernel); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache config)
{ return cudaFuncSetCacheConfig((const void *)kernel, config); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, T *kernel)
{ return cudaFuncGetAttributes(out, (const void *)kernel); }

/* ---- Occupancy ---- */

template <class T>
CUDALAB_HOST_FN cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, T kernel, int block_size, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, (const void *)kernel, block_size, shared, cudaOccupancyDefault);
}
template <class T>
CUDALAB_HOST_FN cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, T kernel, int block_size, size_t shared, unsigned flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel,
                                                                  block_size, shared, flags);
}
template <class T>
CUDALAB_HOST_FN cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, T *kernel,
                                                                      int blocks, int block_size)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(shared, (const void *)kernel, blocks,
                                                     block_size);
}
template <class T>
CUDALAB_HOST_FN cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, T *kernel,
                                                                 const cudaLaunchConfig_t *config)
{ return cudaOccupancyMaxPotentialClusterSize(size, (const void *)kernel, config); }
template <class T>
CUDALAB_HOST_FN cudaError_t cudaOccupancyMaxActiveClusters(int *count, T *kernel,
                                                           const cudaLaunchConfig_t *config)
{ return cudaOccupancyMaxActiveClusters(count, (const void *)kernel, config); }

/* A device and a kernel, and the best size of a block that is found. */
struct cudalab_block_search {
    int limit, warp, processors, threads_of_processor, best_size, best_blocks;
};
CUDALAB_HOST_FN cudaError_t cudalab_search_begin(struct cudalab_block_search *s,
                                                 const void *kernel, int block_limit)
{
    struct cudaFuncAttributes of_kernel;
    int device, most;
    cudaError_t error = cudaGetDevice(&device);
    *s = {};
    if (!error)
        error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device);
    if (!error)
        error = cudaDeviceGetAttribute(&s->warp, cudaDevAttrWarpSize, device);
    if (!error)
        error = cudaDeviceGetAttribute(&s->processors, cudaDevAttrMultiProcessorCount, device);
    if (!error)
        error = cudaDeviceGetAttribute(&s->threads_of_processor,
                                       cudaDevAttrMaxThreadsPerMultiProcessor, device);
    if (!error)
        error = cudaFuncGetAttributes(&of_kernel, kernel);
    if (error)
        return error;
    s->limit = of_kernel.maxThreadsPerBlock < most ? of_kernel.maxThreadsPerBlock : most;
    if (block_limit > 0 && block_limit < s->limit)
        s->limit = block_limit;
    return cudaSuccess;
}

/* Sizes are tried from the largest on, by whole warps. The first that keeps most threads wins. */
template <class Size, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *least_grid, int *block, T kernel, Size shared_of_block, int block_limit, unsigned flags)
{
    struct cudalab_block_search s;
    if (!least_grid || !block || !kernel)
        return cudaErrorInvalidValue;
    cudaError_t error = cudalab_search_begin(&s, (const void *)kernel, block_limit);
    if (error)
        return error;
    const int first = (s.limit + s.warp - 1) / s.warp * s.warp;
    for (int size = first; size > 0; size -= s.warp) {
        int tried = size < s.limit ? size : s.limit, blocks;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, (const void *)kernel, tried, shared_of_block(tried), flags);
        if (error)
            return error;
        if (tried * blocks > s.best_size * s.best_blocks) {
            s.best_size = tried;
            s.best_blocks = blocks;
        }
        if (s.best_size * s.best_blocks == s.threads_of_processor)
            break;
    }
    *least_grid = s.best_blocks * s.processors;
    *block = s.best_size;
    return cudaSuccess;
}
template <class Size, class T>
CUDALAB_HOST_FN cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *least_grid, int *block, T kernel, Size shared_of_block, int block_limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        least_grid, block, kernel, shared_of_block, block_limit, cudaOccupancyDefault);
}

struct cudalab_same_shared {
    size_t bytes;
    size_t operator()(int) const { return bytes; }
};
template <class T>
CUDALAB_HOST_FN cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *least_grid, int *block, T kernel, size_t shared = 0, int block_limit = 0,
    unsigned flags = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        least_grid, block, kernel, cudalab_same_shared{shared}, block_limit, flags);
}
template <class T>
CUDALAB_HOST_FN cudaError_t cudaOccupancyMaxPotentialBlockSize(int *least_grid, int *block,
                                                               T kernel, size_t shared = 0,
                                                               int block_limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(least_grid, block, kernel, shared,
                                                       block_limit, cudaOccupancyDefault);
}

#endif
