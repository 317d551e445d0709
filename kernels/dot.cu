/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dot product of two arrays of floats, one kernel a way of adding up the products.
 *
 * Most share one contract: the host sets *dot to 0, the kernel adds a[0] b[0] ... a[n-1] b[n-1] to
 * it.  `partials` leaves a sum a block instead, which the host adds, or in `two-kernels` the
 * kernel dot_finish.  Those that have no loop over i need a thread for every product.
 *
 * "//: variant NAME" opens the part of one variant, "//: used by NAME ..." a part that those
 * variants need as well; a part ends where the next one begins.
 */

//: used by shared-atomic shuffle-atomic partials two-kernels gridstride
#include "lab_sums.h"    /* sums of a warp and of a block */

//: used by all but cublas
/* This thread's product, or 0 where there is none for it. */
__device__ __forceinline__ float My_product(const float *a, const float *b, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    return i < n ? a[i] * b[i] : 0.0f;
}

/* The sum of the products that this thread takes, a grid's width apart. */
__device__ __forceinline__ float My_products(const float *a, const float *b, int n)
{
    int stride = blockDim.x * gridDim.x;
    float my_sum = 0.0f;

    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += stride)
        my_sum += a[i] * b[i];
    return my_sum;
}

//: variant atomic
/* One atomic addition a product. */
extern "C" __global__ void dot_atomic(const float *a, const float *b, const int n, float *dot)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        atomicAdd(dot, a[i] * b[i]);
}

//: variant shared-atomic
/* Products in shared memory, added in a tree; one atomic a block. */
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
/* Products in registers, added by shuffles; one atomic a block. */
extern "C" __global__ void dot_shuffle_atomic(const float *a, const float *b, const int n,
                                              float *dot)
{
    __shared__ float warp_sum_arr[WARPSZ];

    float blk_dot = Block_sum(My_product(a, b, n), warp_sum_arr);
    if (threadIdx.x == 0)
        atomicAdd(dot, blk_dot);
}

//: variant partials two-kernels
/* No atomic: each block leaves its sum at a place of its own. */
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
/* The second kernel, of one block: adds the `count` sums of the first one, dot_partials. */
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
/* Many products a thread, shuffles, one atomic a block, of few blocks. */
extern "C" __global__ void dot_gridstride(const float *a, const float *b, const int n, float *dot)
{
    __shared__ float warp_sum_arr[WARPSZ];

    float blk_dot = Block_sum(My_products(a, b, n), warp_sum_arr);
    if (threadIdx.x == 0)
        atomicAdd(dot, blk_dot);
}

//: variant cublas
/* No kernel of ours: cublasSdot(handle, n, a, 1, b, 1, dot). */

//: variant nonpow2
/* WRONG unless blockDim.x is a power of two: an odd number of values loses the last one. */
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
