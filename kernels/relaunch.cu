/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same additions, over and over: by one launch each, or by a loop in one launch.
 */

//: variant launches
/* One addition a thread: the host launches this again and again. */
extern "C" __global__ void relaunch_once(const float *x, const float *y, float *z, const int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
        z[i] = x[i] + y[i];
}

//: variant loop
/* The loop is the thread's own.  z might be x, for all the compiler knows: it adds each time. */
extern "C" __global__ void relaunch_loop(const float *x, const float *y, float *z, const int n,
                                         const int iters)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n)
#pragma unroll 1
        for (int k = 0; k < iters; k++)
            z[i] = x[i] + y[i];
}
