/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dot product of two arrays of floats: one kernel for each way to add the products.
 *
 * Most kernels work alike. The host sets *dot to 0, and the kernel adds a[0] b[0] ... a[n-1]
 * b[n-1] to it. In `partials` each block stores its sum. The host adds these sums, or the kernel
 * dot_finish. A kernel without a loop over i needs one thread per product.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: used by shared-atomic shuffle-atomic partials two-kernels gridstride best
#include "lab_sums.h"    /* sums over a warp and over a block */

//: used by all but best cublas
/* The product of this thread, or 0 if it has none. */
__device__ __forceinline__ float My_product(const float *a, const float *b, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    return i < n ? a[i] * b[i] : 0.0f;
}

/* The sum of this thread's products. They are one grid apart. */
__device__ __forceinline__ float My_products(const float *a, const float *b, int n)
{
    int stride = blockDim.x * gridDim.x;
    float my_sum = 0.0f;

    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += stride)
        my_sum += a[i] * b[i];
    return my_sum;
}

//: variant atomic
/* Each product is one atomic addition. */
extern "C" __global__ void dot_atomic(const float *a, const float *b, const int n, float *dot)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        atomicAdd(dot, a[i] * b[i]);
}

//: variant shared-atomic
/* The products are added in a tree in shared memory. Each block does one atomic addition. */
extern "C" __global__ void dot_shared_atomic(const float *a, const float *b, const int n,
                                             float *dot)
{
    extern __shared__ float products[];

    products[threadIdx.x] = My_product(a, b, n);
    float blk_dot = Tree_sum(products);
    if (threadIdx.x == 0)
        atomicAdd(dot, blk_dot);
}

//: variant shuffle-atomic
/* The products are in registers and are added by shuffles. Each block does one atomic addition. */
extern "C" __global__ void dot_shuffle_atomic(const float *a, const float *b, const int n,
                                              float *dot)
{
    __shared__ float warp_sum_arr[WARPSZ];

    float blk_dot = Block_sum(My_product(a, b, n), warp_sum_arr);
    if (threadIdx.x == 0)
        atomicAdd(dot, blk_dot);
}

//: variant partials two-kernels
/* There is no atomic operation. Each block stores its sum in a place of its own. */
extern "C" __global__ void dot_partials(const float *a, const float *b, const int n,
                                        float *partial)
{
    extern __shared__ float sums[];

    sums[threadIdx.x] = My_products(a, b, n);
    float blk_dot = Tree_sum(sums);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = blk_dot;
}

//: variant two-kernels
/* The second kernel has one block. It adds the `count` sums of the first one, dot_partials. */
extern "C" __global__ void dot_finish(const float *partial, const int count, float *dot)
{
    extern __shared__ float sums[];
    float my_sum = 0.0f;

    for (int i = threadIdx.x; i < count; i += blockDim.x)
        my_sum += partial[i];
    sums[threadIdx.x] = my_sum;
    float all = Tree_sum(sums);
    if (threadIdx.x == 0)
        *dot = all;
}

//: variant gridstride
/* Each thread adds many products. Then come shuffles and one atomic addition per block. */
extern "C" __global__ void dot_gridstride(const float *a, const float *b, const int n, float *dot)
{
    __shared__ float warp_sum_arr[WARPSZ];

    float blk_dot = Block_sum(My_products(a, b, n), warp_sum_arr);
    if (threadIdx.x == 0)
        atomicAdd(dot, blk_dot);
}

//: variant best
/* The same with loads of four elements. Each thread has a quarter of the loads. */
extern "C" __global__ void dot_best(const float *a, const float *b, const int n, float *dot)
{
    __shared__ float warp_sum_arr[WARPSZ];
    int first = blockDim.x * blockIdx.x + threadIdx.x, fours = n / 4;
    int stride = blockDim.x * gridDim.x;
    float my_sum = 0.0f;

    for (int i = first; i < fours; i += stride) {
        float4 v = ((const float4 *)a)[i], w = ((const float4 *)b)[i];
        my_sum += (v.x * w.x + v.y * w.y) + (v.z * w.z + v.w * w.w);
    }
    for (int i = 4 * fours + first; i < n; i += stride)
        my_sum += a[i] * b[i];
    float blk_dot = Block_sum(my_sum, warp_sum_arr);
    if (threadIdx.x == 0)
        atomicAdd(dot, blk_dot);
}

//: variant cublas
/* This kernel is in cuBLAS: cublasSdot(handle, n, a, 1, b, 1, dot). */

//: variant nonpow2
/* WRONG unless blockDim.x is a power of two: if a number of values is odd, the last one is lost. */
extern "C" __global__ void dot_nonpow2(const float *a, const float *b, const int n, float *dot)
{
    extern __shared__ float products[];

    products[threadIdx.x] = My_product(a, b, n);
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            products[threadIdx.x] += products[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        atomicAdd(dot, products[0]);
}
