/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorting networks: fixed lists of comparisons that sort every array of n floats.
 *
 * One comparison looks at two elements and swaps them if the second one is smaller. The comparisons
 * of one step use different elements, so all threads can do them at the same time. Before the next
 * step all threads must wait. The kernels differ in the distance of the two elements, and in how
 * the threads wait.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: used by coop coop-stride
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

//: used by all
/* Swap two elements if the second one is smaller. */
__device__ __forceinline__ void Compare_exchange(float *x, int low, int high)
{
    float a = x[low], b = x[high];

    if (b < a) {
        x[low] = b;
        x[high] = a;
    }
}

//: variant launches
/* One step. The first pair begins at element `first`: 0 in even steps, 1 in odd steps. */
extern "C" __global__ void oddeven_step(float *x, const int n, const int first)
{
    int low = first + 2 * (blockDim.x * blockIdx.x + threadIdx.x);

    if (low + 1 < n)
        Compare_exchange(x, low, low + 1);
}

//: variant coop
/* All steps in one cooperative launch, with one thread per pair. */
extern "C" __global__ void oddeven_coop(float *x, const int n)
{
    cg::grid_group grid = cg::this_grid();
    int pair = blockDim.x * blockIdx.x + threadIdx.x;

    for (int step = 0; step < n; step++) {
        int low = step % 2 + 2 * pair;
        if (low + 1 < n)
            Compare_exchange(x, low, low + 1);
        grid.sync();
    }
}

//: variant coop-stride
/* The same for any n: a thread takes several pairs, one grid apart. */
extern "C" __global__ void oddeven_coop_stride(float *x, const int n)
{
    cg::grid_group grid = cg::this_grid();
    int pair = blockDim.x * blockIdx.x + threadIdx.x, all = gridDim.x * blockDim.x;

    for (int step = 0; step < n; step++) {
        for (int low = step % 2 + 2 * pair; low + 1 < n; low += 2 * all)
            Compare_exchange(x, low, low + 1);
        grid.sync();
    }
}

//: used by chunks
#define NONE __int_as_float(0x7f800000)   /* infinity, in the places after the last element */

/* Both chunks of a block go to shared memory. The second chunk can be reversed there. */
__device__ __forceinline__ void Load_chunks(const float *x, int n, int start, bool reversed,
                                            float *chunks)
{
    int i = threadIdx.x, size = blockDim.x, next = start + size;

    chunks[i] = start + i < n ? x[start + i] : NONE;
    chunks[reversed ? 2 * size - 1 - i : size + i] = next + i < n ? x[next + i] : NONE;
}

__device__ __forceinline__ void Store_chunks(float *x, int n, int start, const float *chunks)
{
    int i = threadIdx.x, size = blockDim.x, next = start + size;

    if (start + i < n)
        x[start + i] = chunks[i];
    if (next + i < n)
        x[next + i] = chunks[size + i];
}

//: variant chunks
/* First launch: each block sorts two chunks in shared memory. Its barrier is __syncthreads(). */
extern "C" __global__ void oddeven_chunks(float *x, const int n)
{
    extern __shared__ float chunks[];
    int start = 2 * blockDim.x * blockIdx.x, both = 2 * blockDim.x;

    Load_chunks(x, n, start, false, chunks);
    for (int step = 0; step < both; step++) {
        int low = step % 2 + 2 * threadIdx.x;
        __syncthreads();
        if (low + 1 < both)
            Compare_exchange(chunks, low, low + 1);
    }
    __syncthreads();
    Store_chunks(x, n, start, chunks);
}

/*
 * Later launches: each block merges two sorted chunks. The small half goes to the first chunk. With
 * the second chunk reversed, the values rise and then fall. So the distances can be halved.
 */
extern "C" __global__ void oddeven_merge(float *x, const int n, const int first)
{
    extern __shared__ float chunks[];
    int size = blockDim.x, start = size * (first + 2 * blockIdx.x);

    Load_chunks(x, n, start, true, chunks);
    for (int distance = size; distance > 0; distance /= 2) {
        int low = 2 * distance * (threadIdx.x / distance) + threadIdx.x % distance;
        __syncthreads();
        Compare_exchange(chunks, low, low + distance);
    }
    __syncthreads();
    Store_chunks(x, n, start, chunks);
}

//: variant bitonic
/* One step of bitonic sort. In the first step of a merge, `mask` mirrors the index in its part. */
extern "C" __global__ void oddeven_bitonic(float *x, const int n, const int distance,
                                           const int mask)
{
    int pair = blockDim.x * blockIdx.x + threadIdx.x;
    int low = 2 * distance * (pair / distance) + pair % distance, high = low ^ mask;

    if (high < n)
        Compare_exchange(x, low, high);
}

//: variant batcher
/* One step of Batcher's merge sort. Sorted parts of `size` elements are merged in pairs. */
extern "C" __global__ void oddeven_batcher(float *x, const int n, const int size,
                                           const int distance)
{
    int pair = blockDim.x * blockIdx.x + threadIdx.x;
    int low = distance % size + 2 * distance * (pair / distance) + pair % distance;
    int high = low + distance;

    if (high < n && low / (2 * size) == high / (2 * size))
        Compare_exchange(x, low, high);
}

//: variant blocksync
/* WRONG if there are several blocks: __syncthreads() waits only for the threads of one block. */
extern "C" __global__ void oddeven_blocksync(float *x, const int n)
{
    int pair = blockDim.x * blockIdx.x + threadIdx.x;

    for (int step = 0; step < n; step++) {
        int low = step % 2 + 2 * pair;
        if (low + 1 < n)
            Compare_exchange(x, low, low + 1);
        __syncthreads();
    }
}
