/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sum of an array of floats, one kernel a way of adding up.
 *
 * All kernels share one contract: the host sets *sum to 0, the kernel adds data[0] ... data[n-1]
 * to it.  Those that have no loop over i need a thread for every element (`vector`: for every
 * four); the others take any grid.  The wrong ones stand at the end.
 *
 * "//: variant NAME" opens the part of one variant, "//: used by NAME ..." a part that those
 * variants need as well; a part ends where the next one begins.
 */

//: used by tree shuffle vector best
#include "lab_sums.h"    /* sums of a warp and of a block */

//: used by vector best
__device__ __forceinline__ float Sum_of_4(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

//: variant atomic
/* One atomic addition a thread, all at one address. */
extern "C" __global__ void sum_atomic(const float *data, const int n, float *sum)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        atomicAdd(sum, data[i]);
}

//: variant thread0
/* Thread 0 of each block adds the block's elements, while the others have nothing to do. */
extern "C" __global__ void sum_thread0(const float *data, const int n, float *sum)
{
    if (threadIdx.x == 0) {
        int first = blockDim.x * blockIdx.x;
        float blk_sum = 0.0f;
        for (int k = 0; k < blockDim.x && first + k < n; k++)
            blk_sum += data[first + k];
        atomicAdd(sum, blk_sum);
    }
}

//: variant shared0
/* All threads load, side by side; thread 0 adds what they left in shared memory. */
extern "C" __global__ void sum_shared0(const float *data, const int n, float *sum)
{
    extern __shared__ float blk_vals[];
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    blk_vals[threadIdx.x] = i < n ? data[i] : 0.0f;
    __syncthreads();
    if (threadIdx.x == 0) {
        float blk_sum = 0.0f;
        for (int k = 0; k < blockDim.x; k++)
            blk_sum += blk_vals[k];
        atomicAdd(sum, blk_sum);
    }
}

//: variant tree
/* The block adds in a tree: half of the threads, then half of those. */
extern "C" __global__ void sum_tree(const float *data, const int n, float *sum)
{
    extern __shared__ float blk_vals[];
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    blk_vals[threadIdx.x] = i < n ? data[i] : 0.0f;
    float blk_sum = Tree_sum(blk_vals);
    if (threadIdx.x == 0)
        atomicAdd(sum, blk_sum);
}

//: variant shuffle
/* Warps add in registers, warp 0 adds their sums: one barrier. */
extern "C" __global__ void sum_shuffle(const float *data, const int n, float *sum)
{
    __shared__ float warp_sum_arr[WARPSZ];
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    float blk_sum = Block_sum(i < n ? data[i] : 0.0f, warp_sum_arr);
    if (threadIdx.x == 0)
        atomicAdd(sum, blk_sum);
}

//: variant vector
/* The same with four elements a load of 16 bytes: a quarter of the threads. */
extern "C" __global__ void sum_vector(const float *data, const int n, float *sum)
{
    __shared__ float warp_sum_arr[WARPSZ];
    int i = blockDim.x * blockIdx.x + threadIdx.x, fours = n / 4;
    float my_sum = 0.0f;

    if (i < fours)
        my_sum = Sum_of_4(((const float4 *)data)[i]);
    if (i < n - 4 * fours)   /* the up to three elements that are left */
        my_sum += data[4 * fours + i];
    float blk_sum = Block_sum(my_sum, warp_sum_arr);
    if (threadIdx.x == 0)
        atomicAdd(sum, blk_sum);
}

//: variant best
/* Few blocks, which stay: each thread adds many fours, a grid's width apart. */
extern "C" __global__ void sum_best(const float *data, const int n, float *sum)
{
    __shared__ float warp_sum_arr[WARPSZ];
    int first = blockDim.x * blockIdx.x + threadIdx.x, fours = n / 4;
    int stride = blockDim.x * gridDim.x;
    float my_sum = 0.0f;

    for (int i = first; i < fours; i += stride)
        my_sum += Sum_of_4(((const float4 *)data)[i]);
    for (int i = 4 * fours + first; i < n; i += stride)
        my_sum += data[i];
    float blk_sum = Block_sum(my_sum, warp_sum_arr);
    if (threadIdx.x == 0)
        atomicAdd(sum, blk_sum);
}

//: variant cublas
/*
 * No kernel of ours.  cublasSdot(handle, n, data, 1, one, 0, sum) adds data[i] * one[0]: the
 * second vector is a single 1, which a step of 0 reads again and again.
 */

//: variant race
/* WRONG: load, add and store are three steps; what others add in between is lost. */
extern "C" __global__ void sum_race(const float *data, const int n, float *sum)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        *sum += data[i];
}

//: variant nobarrier
/* WRONG: shared0 that doesn't wait for the other warps to store what they loaded. */
extern "C" __global__ void sum_nobarrier(const float *data, const int n, float *sum)
{
    extern __shared__ float blk_vals[];
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    blk_vals[threadIdx.x] = i < n ? data[i] : 0.0f;
    /* __syncthreads() is missing here */
    if (threadIdx.x == 0) {
        float blk_sum = 0.0f;
        for (int k = 0; k < blockDim.x; k++)
            blk_sum += blk_vals[k];
        atomicAdd(sum, blk_sum);
    }
}

//: variant nobarrier2
/* WRONG: tree whose steps wait for the first stores, and then no more for one another. */
extern "C" __global__ void sum_nobarrier2(const float *data, const int n, float *sum)
{
    extern __shared__ float blk_vals[];
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    blk_vals[threadIdx.x] = i < n ? data[i] : 0.0f;
    __syncthreads();
    for (int left = blockDim.x, half; left > 1; left = half) {
        half = (left + 1) / 2;
        if (threadIdx.x + half < left)
            blk_vals[threadIdx.x] += blk_vals[threadIdx.x + half];
        /* __syncthreads() is missing here */
    }
    if (threadIdx.x == 0)
        atomicAdd(sum, blk_vals[0]);
}
