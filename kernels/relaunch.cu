/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same additions many times: one launch for each, or one launch with a loop.
 */

//: variant launches
/* Each thread does one addition. The host launches this kernel again and again. */
extern "C" __global__ void relaunch_once(const float *x, const float *y, float *z, const int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        z[i] = x[i] + y[i];
}

//: variant loop
/* The loop is in the thread. z could be x, so the compiler must add each time. */
extern "C" __global__ void relaunch_loop(const float *x, const float *y, float *z, const int n,
                                         const int iters)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
#pragma unroll 1
        for (int k = 0; k < iters; k++)
            z[i] = x[i] + y[i];
}
