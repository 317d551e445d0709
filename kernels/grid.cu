/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which element is whose: every thread works out its index and says so.
 */

//: variant grid
/*
 * The index of the thread that calls, here for one dimension.  A real call, so that what the
 * student types can be put in its place; the asm hides the result.
 */
extern "C" __device__ __noinline__ int grid_index(void)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("" : "+r"(i));
    return i;
}

/* A thread's own number among all of the grid, in one, two or three dimensions: x runs fastest. */
__device__ __forceinline__ unsigned own_number(void)
{
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;

    return block * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

/* index[] has each thread's answer; hits[i] counts the threads that have element i. */
extern "C" __global__ void grid(int *index, unsigned *hits, const int n)
{
    int i = grid_index();

    index[own_number()] = i;
    if (0 <= i && i < n)
        atomicAdd(&hits[i], 1u);
}
