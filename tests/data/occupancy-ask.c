/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks NVIDIA's own arithmetic, the header cuda_occupancy.h of the toolkit, how many blocks an SM
 * holds, and leaves the answers as lines for tests/unit/occupancy.c. By hand, in the source:
 *
 *     cc -std=gnu11 -Isrc -I$CUDA/include tests/data/occupancy-ask.c src/dev/cards.c -o ask
 *     ./ask >tests/data/occupancy.txt
 */
#include "dev/cards.h"

#include <cuda_occupancy.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t state = 1;

static unsigned chance(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

static cudaOccDeviceProp card_of(const struct capability *c)
{
    cudaOccDeviceProp p = {
        .computeMajor = c->major,
        .computeMinor = c->minor,
        .maxThreadsPerBlock = 1024,
        .maxThreadsPerMultiprocessor = c->threads_per_sm,
        .regsPerBlock = c->registers_per_block,
        .regsPerMultiprocessor = c->registers_per_sm,
        .warpSize = 32,
        .sharedMemPerBlock = 49152,
        .sharedMemPerMultiprocessor = (size_t)c->shared_per_sm,
        .numSms = 1,
        .sharedMemPerBlockOptin = c->major < 7 ? 49152
                                               : (size_t)(c->shared_per_sm - c->shared_reserved),
        .reservedSharedMemPerBlock = (size_t)c->shared_reserved,
    };
    return p;
}

static int ask(const cudaOccDeviceProp *p, int threads, int registers, size_t shared)
{
    cudaOccFuncAttributes f = {.maxThreadsPerBlock = 1024,
                               .numRegs = registers,
                               .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                               .maxDynamicSharedSizeBytes = shared,
                               .numBlockBarriers = 1};
    cudaOccDeviceState how = {.cacheConfig = CACHE_PREFER_SHARED,
                              .carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED};
    cudaOccResult r;
    return cudaOccMaxActiveBlocksPerMultiprocessor(&r, p, &f, &how, threads, shared)
               ? -1
               : r.activeBlocksPerMultiprocessor;
}

int main(void)
{
    puts("# capability, threads a block, registers a thread, bytes of shared memory: blocks an SM,"
         " by cuda_occupancy.h of CUDA 13.0");
    for (size_t i = 0; i < capability_count; i++) {
        const struct capability *c = &capabilities[i];
        cudaOccDeviceProp p = card_of(c);
        if (c->major < 3)
            continue;
        for (int k = 0; k < 120; k++) {
            int threads = k % 3 ? 32 * (1 + (int)chance(32)) : 1 + (int)chance(1024);
            int registers = k % 4 ? 16 + (int)chance(80) : 1 + (int)chance(256);
            size_t shared = k % 2 ? chance((unsigned)p.sharedMemPerBlockOptin / (1 + k % 7) + 300) : 0;
            if (c->major * 10 + c->minor == 30 && registers > c->registers_per_thread)
                registers %= 64; /* the header takes 255 for all of 3.x */
            printf("%d.%d %d %d %zu: %d\n", c->major, c->minor, threads, registers, shared,
                   ask(&p, threads, registers, shared));
        }
    }
    return 0;
}
