/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A task that several GPUs share. Each GPU gets a range of trapezoids or of elements. Its blocks
 * leave a sum each, and then one block adds these. The host, or MPI, adds the sums of the GPUs.
 *
 * The last step on the GPU is serial: it takes one block, and as long with many GPUs as with one.
 */

//: used by all
#include "lab_sums.h"    /* sums over a warp and over a block */

//: variant scale_trap
/* The trapezoids first to last - 1 of the integral of x^2 + 1. Both ends of the range count half. */
extern "C" __global__ void scale_trap(float a, float h, int first, int last, float *sums)
{
    __shared__ float warp_sum_arr[WARPSZ];
    int stride = gridDim.x * blockDim.x;
    float mine = 0.0f;

    for (int i = first + blockIdx.x * blockDim.x + threadIdx.x; i <= last; i += stride) {
        float x = a + i * h;
        float y = x * x + 1.0f;
        mine += i == first || i == last ? 0.5f * y : y;
    }
    float sum = Block_sum(mine, warp_sum_arr);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

//: variant scale_sum
/* The sum of n elements. */
extern "C" __global__ void scale_sum(const float *x, int n, float *sums)
{
    __shared__ float warp_sum_arr[WARPSZ];
    int stride = gridDim.x * blockDim.x;
    float mine = 0.0f;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        mine += x[i];
    float sum = Block_sum(mine, warp_sum_arr);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

//: used by scale_trap scale_sum
/* One block adds the sums of all blocks. */
extern "C" __global__ void scale_add(const float *sums, int n, float *total)
{
    __shared__ float warp_sum_arr[WARPSZ];
    float mine = 0.0f;

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        mine += sums[i];
    float sum = Block_sum(mine, warp_sum_arr);
    if (threadIdx.x == 0)
        *total = sum;
}
