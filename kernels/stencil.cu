/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stencil of one dimension: y[i] is the sum of x[i - radius] ... x[i + radius]. Elements before
 * the start of x and past its end count as 0.
 *
 * Neighbouring threads need almost the same elements. A block can load them once, into a tile in
 * shared memory. The tile has one element for each thread, and `radius` more on each side. These
 * extra elements are called the halo. Each wrong kernel lacks one thing.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: used by all but global vector
/* The sum of the 2 * radius + 1 elements of the tile around this thread's own element. */
__device__ __forceinline__ int Tile_sum(const int *tile, int radius)
{
    int sum = 0;

    for (int k = threadIdx.x; k <= (int)threadIdx.x + 2 * radius; k++)
        sum += tile[k];
    return sum;
}

//: variant global
/* Each thread loads all its elements from global memory. */
extern "C" __global__ void stencil_global(const int *x, int *y, int n, int radius)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < n) {
        int sum = 0;

        for (int k = i - radius; k <= i + radius; k++)
            if (k >= 0 && k < n)
                sum += x[k];
        y[i] = sum;
    }
}

//: variant shared
/* The block loads each element of its tile once. The loop works for every radius. */
extern "C" __global__ void stencil_shared(const int *x, int *y, int n, int radius)
{
    extern __shared__ int tile[];
    int first = blockDim.x * blockIdx.x - radius;   /* its index in x can be negative */

    for (int k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
        int i = first + k;
        tile[k] = i >= 0 && i < n ? x[i] : 0;
    }
    __syncthreads();

    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        y[i] = Tile_sum(tile, radius);
}

//: used by vector
/* The sum of x[i - radius] ... x[i + radius], as in `global`. */
__device__ __forceinline__ int Sum_around(const int *x, int i, int n, int radius)
{
    int sum = 0;

    for (int k = i - radius; k <= i + radius; k++)
        if (k >= 0 && k < n)
            sum += x[k];
    return sum;
}

//: variant vector
/*
 * Each thread computes four neighbouring sums from loads of four elements. Most elements belong to
 * all four sums, so they are added only once. Near both ends of x the thread adds one by one.
 */
extern "C" __global__ void stencil_vector(const int *x, int *y, int n, int radius)
{
    int i = 4 * (blockDim.x * blockIdx.x + threadIdx.x);
    int reach = (radius + 3) / 4 * 4;   /* a multiple of 4, so that all loads are aligned */
    int all = 0, sum[4] = {};

    if (i >= n)
        return;
    if (i < reach || i >= n - 3 - reach) {
        for (int j = i; j < i + 4 && j < n; j++)
            y[j] = Sum_around(x, j, n, radius);
        return;
    }
    for (int k = -reach; k <= reach; k += 4) {
        int4 v = *(const int4 *)&x[i + k];
        int part[4] = {v.x, v.y, v.z, v.w};
        if (k - 3 >= -radius && k + 3 <= radius) {   /* these four belong to all sums */
            all += (v.x + v.y) + (v.z + v.w);
            continue;
        }
#pragma unroll
        for (int p = 0; p < 16; p++) {
            int distance = k + p % 4 - p / 4;   /* from the middle of the sum to this element */
            sum[p / 4] += distance >= -radius && distance <= radius ? part[p % 4] : 0;
        }
    }
    *(int4 *)&y[i] = make_int4(all + sum[0], all + sum[1], all + sum[2], all + sum[3]);
}

//: variant nobarrier
/* WRONG: a thread may read elements of the tile before another thread has stored them. */
extern "C" __global__ void stencil_nobarrier(const int *x, int *y, int n, int radius)
{
    extern __shared__ int tile[];
    int first = blockDim.x * blockIdx.x - radius;

    for (int k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
        int i = first + k;
        tile[k] = i >= 0 && i < n ? x[i] : 0;
    }
    /* __syncthreads() is missing here */

    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        y[i] = Tile_sum(tile, radius);
}

//: variant noleft
/* WRONG: there is no test for the start of x. The first block reads x[-radius]. */
extern "C" __global__ void stencil_noleft(const int *x, int *y, int n, int radius)
{
    extern __shared__ int tile[];
    int first = blockDim.x * blockIdx.x - radius;

    for (int k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
        int i = first + k;
        tile[k] = i < n ? x[i] : 0;   /* i >= 0 is missing */
    }
    __syncthreads();

    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        y[i] = Tile_sum(tile, radius);
}

//: variant noright
/* WRONG: there is no test for the end of x. The last block reads x[n] and more. */
extern "C" __global__ void stencil_noright(const int *x, int *y, int n, int radius)
{
    extern __shared__ int tile[];
    int first = blockDim.x * blockIdx.x - radius;

    for (int k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
        int i = first + k;
        tile[k] = i >= 0 ? x[i] : 0;   /* i < n is missing */
    }
    __syncthreads();

    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        y[i] = Tile_sum(tile, radius);
}

//: variant shorthalo
/* WRONG if radius > blockDim.x: each thread loads at most one element of each halo. */
extern "C" __global__ void stencil_shorthalo(const int *x, int *y, int n, int radius)
{
    extern __shared__ int tile[];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int k = threadIdx.x + radius;   /* its own place in the tile */

    tile[k] = i < n ? x[i] : 0;
    if (threadIdx.x < radius) {
        int left = i - radius, right = i + blockDim.x;
        tile[k - radius] = left >= 0 ? x[left] : 0;
        tile[k + blockDim.x] = right < n ? x[right] : 0;
    }
    __syncthreads();

    if (i < n)
        y[i] = Tile_sum(tile, radius);
}
