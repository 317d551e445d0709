/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device, as a program asks about it.
 */
#include "run/run.h"

#include "cudalab_runtime_types.h"

#include <stdio.h>
#include <string.h>

/* What our device can do, whatever card it stands for. */
#define ALWAYS_TRUE(X)                                                                            \
    X(unifiedAddressing, UnifiedAddressing) X(managedMemory, ManagedMemory)                       \
    X(concurrentManagedAccess, ConcurrentManagedAccess) X(canMapHostMemory, CanMapHostMemory)     \
    X(hostRegisterSupported, HostRegisterSupported)                                               \
    X(canUseHostPointerForRegisteredMem, CanUseHostPointerForRegisteredMem)                       \
    X(concurrentKernels, ConcurrentKernels)                                                       \
    X(streamPrioritiesSupported, StreamPrioritiesSupported)                                       \
    X(cooperativeLaunch, CooperativeLaunch) X(globalL1CacheSupported, GlobalL1CacheSupported)     \
    X(localL1CacheSupported, LocalL1CacheSupported)                                               \
    X(computePreemptionSupported, ComputePreemptionSupported)                                     \
    X(memoryPoolsSupported, MemoryPoolsSupported)

/* Attributes that only the driver API has. Memory that is compressed has the same bytes. */
enum { OF_VIRTUAL_MEMORY = 102, OF_COMPRESSION = 107 };

int32_t run_properties(const struct run *r, struct buf *answer)
{
    const struct device_props *p = &r->session.device->props;
    struct cudaDeviceProp out = {
        .totalGlobalMem = p->global_bytes, .sharedMemPerBlock = p->shared_per_block,
        .regsPerBlock = p->registers_per_block, .warpSize = p->warp_size, .memPitch = INT32_MAX,
        .maxThreadsPerBlock = p->max_threads_per_block, .totalConstMem = p->const_bytes,
        .major = p->major, .minor = p->minor, .textureAlignment = 512, .texturePitchAlignment = 32,
        .multiProcessorCount = p->multiprocessors, .integrated = p->integrated > 0,
        .ECCEnabled = p->ecc > 0, .asyncEngineCount = p->copy_engines,
        .memoryBusWidth = p->bus_bits, .l2CacheSize = (int)p->l2_bytes,
        .maxThreadsPerMultiProcessor = p->max_threads_per_sm,
        .sharedMemPerMultiprocessor = p->shared_per_sm,
        .regsPerMultiprocessor = p->registers_per_sm,
        .sharedMemPerBlockOptin = p->shared_per_block_optin,
        .maxBlocksPerMultiProcessor = p->max_blocks_per_sm,
        .reservedSharedMemPerBlock = p->shared_reserved, .clusterLaunch = p->major >= 9,
        .surfaceAlignment = 512, .maxTexture1D = p->max_texture_1d};
    for (int i = 0; i < 3; i++) {
        out.maxThreadsDim[i] = p->max_block[i];
        out.maxGridSize[i] = (int)p->max_grid[i];
    }
#define SET(member, attribute) out.member = 1;
    ALWAYS_TRUE(SET)
#undef SET
    snprintf(out.name, sizeof out.name, "%s", p->name);
    buf_add(answer, (const char *)&out, sizeof out);
    return answer->failed ? cudaErrorMemoryAllocation : 0;
}

int32_t run_attribute(const struct run *r, struct run_message *m)
{
    const struct device_props *p = &r->session.device->props;
    const struct { int which; int64_t value; } known[] = {
        {cudaDevAttrMaxThreadsPerBlock, p->max_threads_per_block},
        {cudaDevAttrMaxBlockDimX, p->max_block[0]}, {cudaDevAttrMaxBlockDimY, p->max_block[1]},
        {cudaDevAttrMaxBlockDimZ, p->max_block[2]}, {cudaDevAttrMaxGridDimX, p->max_grid[0]},
        {cudaDevAttrMaxGridDimY, p->max_grid[1]}, {cudaDevAttrMaxGridDimZ, p->max_grid[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, (int64_t)p->shared_per_block},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (int64_t)p->shared_per_block_optin},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int64_t)p->shared_per_sm},
        {cudaDevAttrReservedSharedMemoryPerBlock, (int64_t)p->shared_reserved},
        {cudaDevAttrTotalConstantMemory, (int64_t)p->const_bytes},
        {cudaDevAttrWarpSize, p->warp_size}, {cudaDevAttrMaxPitch, INT32_MAX},
        {cudaDevAttrMaxRegistersPerBlock, p->registers_per_block},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p->registers_per_sm},
        {cudaDevAttrClockRate, p->clock_khz}, {cudaDevAttrMemoryClockRate, p->memory_clock_khz},
        {cudaDevAttrGlobalMemoryBusWidth, p->bus_bits},
        {cudaDevAttrL2CacheSize, (int64_t)p->l2_bytes},
        {cudaDevAttrMultiProcessorCount, p->multiprocessors},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p->max_threads_per_sm},
        {cudaDevAttrMaxBlocksPerMultiprocessor, p->max_blocks_per_sm},
        {cudaDevAttrComputeCapabilityMajor, p->major},
        {cudaDevAttrComputeCapabilityMinor, p->minor},
        {OF_VIRTUAL_MEMORY, 1}, {OF_COMPRESSION, p->major >= 8},
        {cudaDevAttrIntegrated, p->integrated > 0}, {cudaDevAttrEccEnabled, p->ecc > 0},
        {cudaDevAttrAsyncEngineCount, p->copy_engines}, {cudaDevAttrTextureAlignment, 512},
#define SET(member, attribute) {cudaDevAttr##attribute, 1},
        ALWAYS_TRUE(SET)
#undef SET
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (m->number[0] == (uint64_t)known[i].which) {
            m->number[0] = (uint64_t)known[i].value;
            return 0;
        }
    m->number[0] = 0; /* what it can't do, and what is not known */
    return 0;
}
