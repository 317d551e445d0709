/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums over a warp and over a block, for the kernels of several labs.
 *
 * "//: defines NAME ..." begins a part. It ends where the next one begins, and the last one at
 * "//: end". `code` shows the parts whose names a variant uses.
 */
#ifndef LAB_SUMS_H
#define LAB_SUMS_H

//: defines WARPSZ FULL_MASK
#define WARPSZ 32        /* warpSize as a constant */
#define FULL_MASK 0xffffffffu

//: defines Warp_sum
/* Tree sum of a full warp in registers. Only lane 0 has the right sum. */
__device__ __forceinline__ float Warp_sum(float var)
{
    for (int diff = WARPSZ / 2; diff > 0; diff /= 2)
        var += __shfl_down_sync(FULL_MASK, var, diff);
    return var;
}

//: defines Warp_lanes Block_warps
/* The number of lanes in this warp: 32, or fewer in the last warp of the block. */
__device__ __forceinline__ int Warp_lanes(void)
{
    int rest = blockDim.x - threadIdx.x / WARPSZ * WARPSZ;
    return rest < WARPSZ ? rest : WARPSZ;
}

/* The number of warps in the block, including a last one that isn't full. */
__device__ __forceinline__ int Block_warps(void)
{
    return (blockDim.x + WARPSZ - 1) / WARPSZ;
}

//: defines Part_warp_sum
/* Warp_sum if only the first `lanes` lanes exist. No lane reads a missing lane. */
__device__ __forceinline__ float Part_warp_sum(float var, int lanes)
{
    if (lanes == WARPSZ)
        return Warp_sum(var);

    unsigned mask = (1u << lanes) - 1;
    int my_lane = threadIdx.x % WARPSZ;
    for (int diff = WARPSZ / 2; diff > 0; diff /= 2) {
        bool has_source = my_lane + diff < lanes;
        float other = __shfl_sync(mask, var, has_source ? my_lane + diff : my_lane);
        if (has_source)
            var += other;
    }
    return var;
}

//: defines Block_sum
/*
 * The sum over the whole block. Each warp adds by shuffle, and warp 0 adds the warp sums. They
 * go through shared memory, because a shuffle stays in its warp. Thread 0 has the sum.
 */
__device__ __forceinline__ float Block_sum(float my_value, float warp_sum_arr[])
{
    int my_warp = threadIdx.x / WARPSZ;
    int my_lane = threadIdx.x % WARPSZ;

    float result = Part_warp_sum(my_value, Warp_lanes());
    if (my_lane == 0)
        warp_sum_arr[my_warp] = result;
    __syncthreads();

    if (my_warp == 0) {
        result = my_lane < Block_warps() ? warp_sum_arr[my_lane] : 0.0f;
        result = Part_warp_sum(result, Warp_lanes());
    }
    return result;
}

//: defines Tree_sum
/*
 * The sum over the whole block in shared memory. Of `left` values, the upper half is added to
 * the lower half, until one value is left. If `left` is odd, the middle value waits. Any block
 * size is right. Thread 0 has the sum and may read vals[0] without another barrier.
 */
__device__ __forceinline__ float Tree_sum(float vals[])
{
    for (int left = blockDim.x, half; left > 1; left = half) {
        half = (left + 1) / 2;
        __syncthreads();
        if (threadIdx.x + half < left)
            vals[threadIdx.x] += vals[threadIdx.x + half];
    }
    return vals[threadIdx.x];
}

//: end
#endif
