/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The elements of the threads: every thread computes its index and stores it.
 */

//: variant grid
/*
 * This function returns the index of the calling thread, for one dimension. It is really called,
 * so cudalab can put the student's expression in its place. The asm hides the result.
 */
extern "C" __device__ __noinline__ int grid_index(void)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("" : "+r"(i));
    return i;
}

/* The number of a thread in the whole grid, in one, two or three dimensions. x changes fastest. */
__device__ __forceinline__ unsigned own_number(void)
{
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;

    return block * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

/* index[] has the index of each thread. hits[i] counts the threads that have element i. */
extern "C" __global__ void grid(int *index, unsigned *hits, const int n)
{
    int i = grid_index();

    index[own_number()] = i;
    if (0 <= i && i < n)
        atomicAdd(&hits[i], 1u);
}
