/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sum of an array of floats: one kernel for each way to add.
 *
 * All kernels work alike. The host sets *sum to 0, and the kernel adds data[0] ... data[n-1] to
 * it. A kernel without a loop over i needs one thread per element. `vector` needs one per four
 * elements. The others take any grid. The wrong ones are at the end.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: used by tree shuffle vector best
#include "lab_sums.h"    /* sums over a warp and over a block */

//: used by vector best
__device__ __forceinline__ float Sum_of_4(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

//: variant atomic
/* Each thread does one atomic addition, all at one address. */
extern "C" __global__ void sum_atomic(const float *data, const int n, float *sum)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        atomicAdd(sum, data[i]);
}

//: variant thread0
/* Thread 0 of each block adds the elements of the block. The other threads have no work. */
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
/* All threads load at the same time. Thread 0 adds the values in shared memory. */
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
/* The block adds in a tree: half of the threads add, then a quarter, and so on. */
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
/* Warps add in registers, and warp 0 adds their sums. This needs one barrier. */
extern "C" __global__ void sum_shuffle(const float *data, const int n, float *sum)
{
    __shared__ float warp_sum_arr[WARPSZ];
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    float blk_sum = Block_sum(i < n ? data[i] : 0.0f, warp_sum_arr);
    if (threadIdx.x == 0)
        atomicAdd(sum, blk_sum);
}

//: variant vector
/* The same with a load of 16 bytes for four elements. A quarter of the threads is enough. */
extern "C" __global__ void sum_vector(const float *data, const int n, float *sum)
{
    __shared__ float warp_sum_arr[WARPSZ];
    int i = blockDim.x * blockIdx.x + threadIdx.x, fours = n / 4;
    float my_sum = 0.0f;

    if (i < fours)
        my_sum = Sum_of_4(((const float4 *)data)[i]);
    if (i < n - 4 * fours)   /* up to three elements are left */
        my_sum += data[4 * fours + i];
    float blk_sum = Block_sum(my_sum, warp_sum_arr);
    if (threadIdx.x == 0)
        atomicAdd(sum, blk_sum);
}

//: variant best
/* Few blocks. Each thread loads four elements many times, one grid apart. */
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
 * This kernel is in cuBLAS. cublasSdot(handle, n, data, 1, one, 0, sum) adds data[i] * one[0].
 * The second vector is a single 1. With a stride of 0 it is read again and again.
 */

//: variant race
/* WRONG: load, add and store are three steps. What other threads add in between is lost. */
extern "C" __global__ void sum_race(const float *data, const int n, float *sum)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        *sum += data[i];
}

//: variant nobarrier
/* WRONG: shared0 does not wait until the other warps have stored their values. */
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
/* WRONG: the tree waits once, after the first stores, but not after each step. */
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
