/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barriers: one kernel for each kind of group that waits.
 *
 * All kernels do the same work. A thread stores its number, waits, and takes its partner's. The
 * partner of number k is number k from the end of the group. found[i] is what thread i took. The
 * wrong kernels wait for threads that do not come, or for the wrong ones.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: used by grid gridstride
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

//: used by all
#define WARPSZ 32        /* warpSize as a constant */
#define MAX_BLKSZ 1024   /* the maximum number of threads in a block */

//: variant block
/* All threads of the block reach the barrier. */
extern "C" __global__ void barrier_block(int *found)
{
    __shared__ int left[MAX_BLKSZ];
    int me = threadIdx.x, partner = blockDim.x - 1 - me;

    left[me] = me + 1;
    __syncthreads();
    found[blockDim.x * blockIdx.x + me] = left[partner];
}

//: variant outside
/* Only `who` threads have work. The barrier is outside the branch, so all threads reach it. */
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
/* Each group of whole warps has its own barrier number. The barrier waits for `group` threads. */
extern "C" __global__ void barrier_named(const int group, int *found)
{
    __shared__ int left[MAX_BLKSZ];
    int me = threadIdx.x, first = me / group * group, partner = first + group - 1 - (me - first);
    int number = 1 + me / group;   /* __syncthreads() uses number 0 */

    left[me] = me + 1;
    asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(group) : "memory");
    found[blockDim.x * blockIdx.x + me] = left[partner];
}

//: variant tiles
/* A group of lanes in a warp. The mask names the lanes that wait for each other. */
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
/* Blocks wait for a counter in memory. This is right only if all of them run at the same time. */
extern "C" __global__ void barrier_flag(int *left, int *count, int *found)
{
    int me = blockDim.x * blockIdx.x + threadIdx.x, all = gridDim.x * blockDim.x;
    volatile int *now = count;   /* load it again each time */

    left[me] = me + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*now < gridDim.x)
            __nanosleep(100);   /* a block that has not started has not added 1 */
        __threadfence();
    }
    __syncthreads();
    found[me] = left[all - 1 - me];
}

//: variant grid
/* The whole grid waits. This needs cudaLaunchCooperativeKernel, and all blocks must fit at once. */
extern "C" __global__ void barrier_grid(int *left, int *found)
{
    cg::grid_group grid = cg::this_grid();
    int me = blockDim.x * blockIdx.x + threadIdx.x, all = gridDim.x * blockDim.x;

    left[me] = me + 1;
    grid.sync();
    found[me] = left[all - 1 - me];
}

//: variant gridstride
/* As many blocks as fit at once. Each thread takes several of the n numbers. */
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
/* The end of a kernel is a barrier for any number of blocks. This kernel stores the numbers. */
extern "C" __global__ void barrier_leave(int *left)
{
    int me = blockDim.x * blockIdx.x + threadIdx.x;

    left[me] = me + 1;
}

/* The next kernel takes the numbers. */
extern "C" __global__ void barrier_take(const int *left, int *found)
{
    int me = blockDim.x * blockIdx.x + threadIdx.x, all = gridDim.x * blockDim.x;

    found[me] = left[all - 1 - me];
}

//: variant branch
/* WRONG: a barrier for the whole block is in a branch that only `who` threads take. */
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
/* WRONG: a thread without work returns before the barrier. */
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
/* WRONG: the other threads skip the first barrier and wait at the second one. */
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
    found[blockDim.x * blockIdx.x + me] = passed[me % who];   /* all threads take a number */
}

//: variant sides
#define SIDE(name) asm volatile("// " name)   /* otherwise the compiler merges both sides */

/* WRONG: each side of the branch has its own barrier, and each barrier waits for all threads. */
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
        SIDE("the other side does the same");
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
/* WRONG: the barrier of each group waits for all threads of the block. */
extern "C" __global__ void barrier_miscount(const int group, int *found)
{
    __shared__ int left[MAX_BLKSZ];
    int me = threadIdx.x, first = me / group * group, partner = first + group - 1 - (me - first);
    int number = 1 + me / group;

    left[me] = me + 1;
    asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(blockDim.x) : "memory");
    found[blockDim.x * blockIdx.x + me] = left[partner];
}
