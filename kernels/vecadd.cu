/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vector addition: z[i] = x[i] + y[i], and which thread takes which i.
 *
 * "//: variant NAME" opens the part of one variant; a part ends where the next one begins.
 */

//: variant both nosync
/* Blocks of threads: block b's first thread takes element b * blockDim.x. */
extern "C" __global__ void vecadd_both(const float *x, const float *y, float *z, const int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) /* there may be more threads than elements */
        z[i] = x[i] + y[i];
}

//: variant blocks
/* One thread a block, launched as <<<n, 1>>>: each has a warp of 32 lanes to itself. */
extern "C" __global__ void vecadd_blocks(const float *x, const float *y, float *z, const int n)
{
    int i = blockIdx.x;

    if (i < n)
        z[i] = x[i] + y[i];
}

//: variant threads
/* One block, launched as <<<1, n>>>: it ends where a block does, at 1,024 threads. */
extern "C" __global__ void vecadd_threads(const float *x, const float *y, float *z, const int n)
{
    int i = threadIdx.x;

    if (i < n)
        z[i] = x[i] + y[i];
}

//: variant gridstride
/* Each thread walks on by the whole grid's width: any grid does for any n. */
extern "C" __global__ void vecadd_gridstride(const float *x, const float *y, float *z, const int n)
{
    unsigned stride = gridDim.x * blockDim.x;

    /* unsigned: the last step may pass 2^31, where an int would turn negative */
    for (unsigned i = blockDim.x * blockIdx.x + threadIdx.x; i < (unsigned)n; i += stride)
        z[i] = x[i] + y[i];
}

//: variant noguard
/* WRONG: n is there, but nobody asks it; threads past the end read and write past the end. */
extern "C" __global__ void vecadd_noguard(const float *x, const float *y, float *z, const int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    z[i] = x[i] + y[i];
}
