// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels for cores.t. Most of them are sensitive to the order of their blocks, or must not
// be done twice. Each is long enough to be shared by several cores, if it could be.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ unsigned work(unsigned x, int rounds)
{
    for (int i = 0; i < rounds; i++)
        x = x * 1664525u + 1013904223u;
    return x;
}

__device__ int index()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

// Nothing is in common.
__global__ void apart(unsigned *out, int rounds)
{
    out[index()] = work(index(), rounds);
}

// The next block waits for the flag of this one, and the first block for the last.
__global__ void flags(volatile int *flag, unsigned *out, int rounds)
{
    out[index()] = work(index(), rounds);
    __syncthreads();
    if (threadIdx.x == 0) {
        if (blockIdx.x == gridDim.x - 1)
            flag[blockIdx.x] = 1;
        while (blockIdx.x == 0 && !flag[gridDim.x - 1])
            ;
    }
}

// A byte of the block before, and of the block behind.
__global__ void neighbours(unsigned char *out, int rounds)
{
    unsigned x = work(index(), rounds);
    out[index()] = x;
    if (threadIdx.x == blockDim.x - 1 && blockIdx.x + 1 < gridDim.x)
        out[index() + 1] = 1;
}

__global__ void bytes(unsigned char *out, int rounds)
{
    out[3 * blockIdx.x + threadIdx.x % 3] = work(blockIdx.x + threadIdx.x % 3, rounds);
}

__global__ void histogram(int *bins, int rounds)
{
    atomicAdd(&bins[work(index(), rounds) % 64], 1);
    atomicMax(&bins[64 + index() % 7], index());
    atomicMin(&bins[80 + index() % 7], -index());
    atomicXor(&bins[96 + index() % 7], index());
}

__global__ void floats(float *sum, double *more, int rounds)
{
    float x = work(index(), rounds) * 1e-9f;
    atomicAdd(&sum[index() % 5], x);
    atomicAdd(&more[threadIdx.x % 2], 1.0 / (1 + index()));
}

// All lanes add to one float, which passes many powers of 2 on its way up, and then on its way down
// through 0.
__global__ void one_sum(float *sum, int rounds)
{
    float x = 1e-3f * (1 + work(index(), rounds) % 1000);
    atomicAdd(&sum[0], index() < gridDim.x * blockDim.x / 3 ? x : -x);
}

// Each warp adds to two of three floats. Some of its lanes are off, others add ties and 0.
__global__ void three_sums(float *sum, int rounds)
{
    unsigned x = work(index(), rounds);
    if (x % 8)
        atomicAdd(&sum[0], 0.5f * (x % 5));
    atomicAdd(&sum[1 + blockIdx.x % 2], x % 16 ? 1e-4f * (int)(x % 100 - 50) : 16777216.0f);
    if (threadIdx.x == 7)
        atomicAdd(&sum[4], 1.0f / (1 + x % 100));
}

// More floats than a worker counts, some of them in several arrays.
__global__ void many_sums(float *sum, int *many, int rounds)
{
    float x = work(index(), rounds) * 1e-9f;
    atomicAdd(&sum[blockIdx.x % 7], x);
    atomicAdd((float *)&many[4000 + blockIdx.x % 3], x);
}

// Additions of floats, between which another operation changes the same one.
__global__ void mixed_sums(float *sum, int rounds)
{
    float x = work(index(), rounds) * 1e-9f;
    atomicAdd(&sum[0], x);
    if (index() % 1000 == 1)
        atomicExch(&sum[0], x);
    atomicAdd(&sum[0], x != x ? 0 : index() == 5000 ? 1e38f : 0.25f);
}

__global__ void no_numbers(float *sum, int rounds)
{
    unsigned x = work(index(), rounds);
    atomicAdd(&sum[0], index() == 6000 ? __int_as_float(0x7f800000) : 1e-3f * (x % 10));
    atomicAdd(&sum[1], index() == 3000 ? __int_as_float(0x7fc00001) : 1e-42f * (x % 10));
}

__global__ void both(int *sum, int rounds)
{
    atomicAdd(sum, work(index(), rounds) % 3);
    atomicMax(sum, index() % 1000);
}

// What is there before lies far from 0, and so does the result.
__global__ void ends(int *high, int *low, long long *high64, long long *low64, int rounds)
{
    int x = work(index(), rounds) % 100;
    atomicMin(&high[0], 1000 + x);
    atomicMin((unsigned *)&high[1], 1000u + x);
    atomicAnd(&high[2], ~(x & 6));
    atomicMax(&low[0], -1000 - x);
    atomicMin(&high64[0], 1000LL + x);
    atomicMin((unsigned long long *)&high64[1], 1000ULL + x);
    atomicAnd((unsigned long long *)&high64[2], ~(x & 6ULL));
    atomicMax(&low64[0], -1000LL - x);
}

__global__ void sum_and_read(int *sum, int *seen, int rounds)
{
    atomicAdd(sum, work(index(), rounds) % 3);
    __syncthreads();
    if (threadIdx.x == 0)
        seen[blockIdx.x] = *(volatile int *)sum;
}

__global__ void ticket(int *next, int *of, int rounds)
{
    unsigned x = work(index(), rounds);
    if (threadIdx.x == 0)
        of[atomicAdd(next, 1)] = blockIdx.x + (x == 1);
}

// The ticket of the last block, through a pointer of which nothing is known.
__device__ __noinline__ int take(int *from)
{
    return atomicAdd(from, 1);
}

__global__ void hidden_ticket(int *next, int *of, int rounds)
{
    unsigned x = work(index(), rounds);
    if (threadIdx.x == 0)
        of[take(next)] = blockIdx.x + (x == 1);
}

// A lock by exchange and a counter for each block: these meet no others.
__global__ void own_counters(int *of, int rounds)
{
    int was = atomicAdd(&of[2 * blockIdx.x], 1);
    if (work(was, rounds) == 1)
        of[2 * blockIdx.x + 1] = was;
}

__global__ void block_scope(int *sum, int rounds)
{
    atomicAdd_block(sum, work(index(), rounds) % 3);
}

__global__ void prints(int rounds)
{
    unsigned x = work(index(), rounds);
    if (threadIdx.x == 0 && blockIdx.x % 16 == 5)
        printf("block %d has %u\n", blockIdx.x, x);
}

__global__ void last_fault(unsigned *out, int rounds)
{
    unsigned x = work(index(), rounds);
    out[blockIdx.x == gridDim.x - 1 ? index() + (1 << 20) : index()] = x;
}

__global__ void far_race(unsigned *out, int rounds)
{
    unsigned x = work(index(), rounds);
    out[index()] = x;
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 7)
        out[7] = x;
}

__global__ void far_read(const unsigned *in, unsigned *out, int rounds)
{
    out[index()] = work(in[index()], rounds) + out[gridDim.x * blockDim.x - 1 - index()];
}

__global__ void unwritten(const unsigned *in, unsigned *out, int rounds)
{
    out[index()] = work(blockIdx.x == gridDim.x / 2 ? in[index()] : 1, rounds);
}

__global__ void half_written(unsigned *out, int rounds)
{
    unsigned x = work(index(), rounds);
    if (index() % 3)
        out[index()] = x;
}

__global__ void in_place(unsigned *x, int rounds)
{
    x[index()] = work(x[index()], rounds);
}

__global__ void divergent(unsigned *out, int rounds)
{
    unsigned x = work(index(), threadIdx.x % 5 * rounds / 4);
    if (threadIdx.x < 40)
        __syncthreads();
    out[index()] = x;
}

__global__ void grid(unsigned *out, unsigned *sum, int rounds)
{
    out[index()] = work(index(), rounds);
    cg::this_grid().sync();
    sum[index()] = out[gridDim.x * blockDim.x - 1 - index()];
}

__global__ void __cluster_dims__(2, 1, 1) pairs(unsigned *out, int rounds)
{
    __shared__ unsigned own;
    cg::cluster_group c = cg::this_cluster();
    unsigned x = work(index(), rounds);
    if (threadIdx.x == 0)
        own = x;
    c.sync();
    out[index()] = x + *c.map_shared_rank(&own, c.block_rank() ^ 1);
    c.sync();
}

__global__ void mallocs(unsigned **out, int rounds)
{
    unsigned x = work(index(), rounds);
    if (threadIdx.x == 0) {
        out[blockIdx.x] = (unsigned *)malloc(64);
        *out[blockIdx.x] = x;
        free(out[blockIdx.x]);
    }
}

__global__ void clocks(long long *out, int rounds)
{
    unsigned x = work(index(), rounds);
    if (threadIdx.x == 0)
        out[blockIdx.x] = clock64() + (x == 1);
}

__global__ void traps(unsigned *out, int rounds)
{
    unsigned x = work(index(), rounds);
    if (index() == 3000)
        __trap();
    out[index()] = x;
}

__global__ void sleeps(unsigned *out, int rounds)
{
    __nanosleep(100);
    out[index()] = work(index(), rounds);
}

// Some blocks are so long that others run in between.
__global__ void long_blocks(float *sum, unsigned *out, int rounds)
{
    unsigned x = work(index(), blockIdx.x % 7 ? rounds : 300 * rounds);
    out[index()] = x;
    atomicAdd(sum, x * 1e-9f);
}

// A list that all blocks add to: without care nothing is as on one core.
__global__ void chain(int *head, int *next, int rounds)
{
    unsigned x = work(index(), rounds);
    if (threadIdx.x == 0) {
        next[blockIdx.x] = *head;
        *head = blockIdx.x + (x == 1);
    }
}

__global__ void swaps(unsigned *last, int rounds)
{
    unsigned x = work(index(), rounds);
    atomicExch(last, x);
    atomicInc(last + 1, 1000);
}
