/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barriers, one kernel a group of threads that wait for each other.
 *
 * All kernels do the same work: a thread leaves its number where others can reach it, waits, and
 * takes what its partner left: number k of a group the one that is k from the end.  found[i] is
 * what thread i took.  The wrong ones wait for threads that don't come, or for others than meant.
 *
 * "//: variant NAME" opens the part of one variant, "//: used by NAME ..." a part that those
 * variants need as well; a part ends where the next one begins.
 */

//: used by grid gridstride
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

//: used by all
#define WARPSZ 32        /* warpSize, known while compiling */
#define MAX_BLKSZ 1024   /* the most threads that a block can have */

//: variant block
/* All threads of the block come to the barrier. */
extern "C" __global__ void barrier_block(int *found)
{
    __shared__ int left[MAX_BLKSZ];
    int me = threadIdx.x, partner = blockDim.x - 1 - me;

    left[me] = me + 1;
    __syncthreads();
    found[blockDim.x * blockIdx.x + me] = left[partner];
}

//: variant outside
/* Only `who` threads have work; all come to the barrier, which stands outside the branch. */
extern "C" __global__ void barrier_outside(const int who, int *found)
{
    __shared__ int left[MAX_BLKSZ];
    int me = threadIdx.x, partner = who - 1 - me;

    if (me < who)
        left[me] = me + 1;
    __syncthreads();
    if (me < who)
        found[blockDim.x * blockIdx.x + me] = left[partner];
}

//: variant named
/* A numbered barrier for each group of whole warps: it waits for so many threads, no others. */
extern "C" __global__ void barrier_named(const int group, int *found)
{
    __shared__ int left[MAX_BLKSZ];
    int me = threadIdx.x, first = me / group * group, partner = first + group - 1 - (me - first);
    int number = 1 + me / group;   /* 0 is that of __syncthreads() */

    left[me] = me + 1;
    asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(group) : "memory");
    found[blockDim.x * blockIdx.x + me] = left[partner];
}

//: variant tiles
/* A group of lanes of one warp: the mask names those that wait for each other, and only those. */
extern "C" __global__ void barrier_tiles(const int group, int *found)
{
    __shared__ int left[MAX_BLKSZ];
    int me = threadIdx.x, first = me / group * group, partner = first + group - 1 - (me - first);
    unsigned lanes = group == WARPSZ ? 0xffffffffu : (1u << group) - 1;

    left[me] = me + 1;
    __syncwarp(lanes << first % WARPSZ);
    found[blockDim.x * blockIdx.x + me] = left[partner];
}

//: variant flag
/* Blocks wait for each other at a counter in memory: right only while all of them run at once. */
extern "C" __global__ void barrier_flag(int *left, int *count, int *found)
{
    int me = blockDim.x * blockIdx.x + threadIdx.x, all = gridDim.x * blockDim.x;
    volatile int *now = count;   /* read anew each time */

    left[me] = me + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*now < gridDim.x)
            __nanosleep(100);   /* a block that hasn't started can't have counted itself */
        __threadfence();
    }
    __syncthreads();
    found[me] = left[all - 1 - me];
}

//: variant grid
/* The whole grid waits.  It takes cudaLaunchCooperativeKernel, and room for all blocks at once. */
extern "C" __global__ void barrier_grid(int *left, int *found)
{
    cg::grid_group grid = cg::this_grid();
    int me = blockDim.x * blockIdx.x + threadIdx.x, all = gridDim.x * blockDim.x;

    left[me] = me + 1;
    grid.sync();
    found[me] = left[all - 1 - me];
}

//: variant gridstride
/* As many blocks as there is room for, and each thread takes several of the n numbers. */
extern "C" __global__ void barrier_gridstride(const int n, int *left, int *found)
{
    cg::grid_group grid = cg::this_grid();
    int me = blockDim.x * blockIdx.x + threadIdx.x, all = gridDim.x * blockDim.x;

    for (int i = me; i < n; i += all)
        left[i] = i + 1;
    grid.sync();
    for (int i = me; i < n; i += all)
        found[i] = left[n - 1 - i];
}

//: variant two-launches
/* The end of a kernel is a barrier for all of its blocks, however many: one kernel leaves ... */
extern "C" __global__ void barrier_leave(int *left)
{
    int me = blockDim.x * blockIdx.x + threadIdx.x;

    left[me] = me + 1;
}

/* ... and the next one takes. */
extern "C" __global__ void barrier_take(const int *left, int *found)
{
    int me = blockDim.x * blockIdx.x + threadIdx.x, all = gridDim.x * blockDim.x;

    found[me] = left[all - 1 - me];
}

//: variant branch
/* WRONG: a barrier for all threads of the block, in a branch that only `who` of them take. */
extern "C" __global__ void barrier_branch(const int who, int *found)
{
    __shared__ int left[MAX_BLKSZ];
    int me = threadIdx.x, partner = who - 1 - me;

    if (me < who) {
        left[me] = me + 1;
        __syncthreads();
        found[blockDim.x * blockIdx.x + me] = left[partner];
    }
}

//: variant return
/* WRONG: who has no work leaves before the barrier. */
extern "C" __global__ void barrier_return(const int who, int *found)
{
    __shared__ int left[MAX_BLKSZ];
    int me = threadIdx.x, partner = who - 1 - me;

    if (me >= who)
        return;
    left[me] = me + 1;
    __syncthreads();
    found[blockDim.x * blockIdx.x + me] = left[partner];
}

//: variant later
/* WRONG: the others don't come to the first barrier but to the second, and meet the wrong ones. */
extern "C" __global__ void barrier_later(const int who, int *found)
{
    __shared__ int left[MAX_BLKSZ], passed[MAX_BLKSZ];
    int me = threadIdx.x, partner = who - 1 - me;

    if (me < who) {
        left[me] = me + 1;
        __syncthreads();
        passed[me] = left[partner];
    }
    __syncthreads();
    found[blockDim.x * blockIdx.x + me] = passed[me % who];   /* all threads take one */
}

//: variant sides
#define SIDE(name) asm volatile("// " name)   /* or the compiler makes one side of both */

/* WRONG: each side of the branch has a barrier of its own, and both mean all threads. */
extern "C" __global__ void barrier_sides(const int who, int *found)
{
    __shared__ int left[MAX_BLKSZ];
    int me = threadIdx.x, partner = blockDim.x - 1 - me;

    if (me < who) {
        SIDE("one side leaves its numbers");
        left[me] = me + 1;
        __syncthreads();
        SIDE("and takes others");
        found[blockDim.x * blockIdx.x + me] = left[partner];
    } else {
        SIDE("so does the other side");
        left[me] = me + 1;
        __syncthreads();
        SIDE("behind a barrier of its own");
        found[blockDim.x * blockIdx.x + me] = left[partner];
    }
}

//: variant fullmask
/* WRONG: __syncwarp() names all 32 lanes, but some of them wait at the barrier below. */
extern "C" __global__ void barrier_fullmask(const int group, int *found)
{
    __shared__ int left[MAX_BLKSZ];
    int me = threadIdx.x, partner = blockDim.x - 1 - me;

    left[me] = me + 1;
    if (me % WARPSZ < group)
        __syncwarp();
    __syncthreads();
    found[blockDim.x * blockIdx.x + me] = left[partner];
}

//: variant miscount
/* WRONG: each group's barrier waits for as many threads as the block has. */
extern "C" __global__ void barrier_miscount(const int group, int *found)
{
    __shared__ int left[MAX_BLKSZ];
    int me = threadIdx.x, first = me / group * group, partner = first + group - 1 - (me - first);
    int number = 1 + me / group;

    left[me] = me + 1;
    asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(blockDim.x) : "memory");
    found[blockDim.x * blockIdx.x + me] = left[partner];
}
