/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks and warps store where and when they ran.
 *
 * In waves_blocks, block b does rounds[b] rounds of a chain of integer steps in all its threads.
 * It stores its multiprocessor, its start and its end. In waves_warps, each warp does rounds. A
 * round is one load from the address that the last load brought, and then `steps` steps. Each
 * step needs the one before.
 */

/* A step that no compiler can shorten: x becomes a x + c modulo 2^32. */
//: used by all
__device__ __forceinline__ unsigned Step(unsigned x)
{
    return x * 1664525u + 1013904223u;
}

//: used by waves_blocks
__device__ __forceinline__ unsigned long long Now(void)
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

struct waves_record {
    unsigned long long begin, end;
    unsigned sm, ran; /* ran: how often this block ran */
};

//: variant waves_blocks
extern "C" __global__ void waves_blocks(const unsigned *rounds, waves_record *record, unsigned *out)
{
    unsigned sm, x = blockIdx.x * blockDim.x + threadIdx.x;
    waves_record *mine = record + blockIdx.x;
    const unsigned long long begin = Now();

#pragma unroll 1
    for (unsigned i = rounds[blockIdx.x]; i > 0; i--)
        x = Step(x);
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;

    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        mine->begin = begin;
        mine->end = Now();
        mine->sm = sm;
        atomicAdd(&mine->ran, 1u);
    }
}

//: variant waves_warps
extern "C" __global__ void waves_warps(const unsigned *next, unsigned *out,
                                       unsigned long long *clocks, int rounds, int steps)
{
    unsigned at = threadIdx.x, x = threadIdx.x;
    const long long begin = clock64();

#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        at = next[at];
        x ^= at;
#pragma unroll 1
        for (int k = 0; k < steps; k++)
            x = Step(x);
    }

    const long long end = clock64();
    out[2 * threadIdx.x] = at;
    out[2 * threadIdx.x + 1] = x;
    if (threadIdx.x % 32 == 0) {
        clocks[threadIdx.x / 32 * 2] = begin;
        clocks[threadIdx.x / 32 * 2 + 1] = end;
    }
}
