/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vector addition is z[i] = x[i] + y[i]. The kernels differ in which thread takes which i.
 *
 * "//: variant NAME" begins the part of one variant. A part ends where the next one begins.
 */

//: variant both nosync
/* Blocks of threads: the first thread of block b takes element b * blockDim.x. */
extern "C" __global__ void vecadd_both(const float *x, const float *y, float *z, const int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) /* there may be more threads than elements */
        z[i] = x[i] + y[i];
}

//: variant blocks
/* One thread per block, launched as <<<n, 1>>>. Each thread has a warp of 32 lanes for itself. */
extern "C" __global__ void vecadd_blocks(const float *x, const float *y, float *z, const int n)
{
    int i = blockIdx.x;

    if (i < n)
        z[i] = x[i] + y[i];
}

//: variant threads
/* One block, launched as <<<1, n>>>. A block has at most 1,024 threads. */
extern "C" __global__ void vecadd_threads(const float *x, const float *y, float *z, const int n)
{
    int i = threadIdx.x;

    if (i < n)
        z[i] = x[i] + y[i];
}

//: variant gridstride
/* Each thread takes several elements, one grid apart. So any grid is right for any n. */
extern "C" __global__ void vecadd_gridstride(const float *x, const float *y, float *z, const int n)
{
    unsigned stride = gridDim.x * blockDim.x;

    /* unsigned: the last step may pass 2^31, and an int would become negative */
    for (unsigned i = blockDim.x * blockIdx.x + threadIdx.x; i < (unsigned)n; i += stride)
        z[i] = x[i] + y[i];
}

//: variant noguard
/* WRONG: no thread tests i against n. Threads past the end read and write past the end. */
extern "C" __global__ void vecadd_noguard(const float *x, const float *y, float *z, const int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    z[i] = x[i] + y[i];
}
