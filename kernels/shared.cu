/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared memory, asked for in every way there is.
 *
 * All kernels do one thing: each block turns its own piece of x around, so that y has the first
 * element of the piece last.  A thread needs what another one loaded, so the piece passes through
 * shared memory.  The last piece may be shorter.  What differs is who fixes the size of the array,
 * the compiler or the launch, and what each of the wrong ones forgets.
 */

//: used by all
/* Elements of this block's piece: `tile`, or what is left of n. */
__device__ __forceinline__ int Piece(int base, int tile, int n)
{
    return n - base < tile ? n - base : tile;
}

//: variant static
#define MAX_BLKSZ 1024   /* known when compiled: the most threads that a block can have */

/* An array of fixed size: every block has all of it, however few its threads are. */
extern "C" __global__ void mirror_static(const float *x, float *y, int n)
{
    __shared__ float tile[MAX_BLKSZ];
    int base = blockIdx.x * blockDim.x;
    int size = Piece(base, blockDim.x, n);
    int i = threadIdx.x;

    if (i < size)
        tile[i] = x[base + i];
    __syncthreads();
    if (i < size)
        y[base + i] = tile[size - 1 - i];
}

//: variant extern noargument
/* The size is the launch's third number: <<<blocks, threads, bytes>>>. */
extern "C" __global__ void mirror_extern(const float *x, float *y, int n)
{
    extern __shared__ float tile[];
    int base = blockIdx.x * blockDim.x;
    int size = Piece(base, blockDim.x, n);
    int i = threadIdx.x;

    if (i < size)
        tile[i] = x[base + i];
    __syncthreads();
    if (i < size)
        y[base + i] = tile[size - 1 - i];
}

//: variant two
/* Two arrays in the launch's one: the second begins where the first ends. */
extern "C" __global__ void mirror_two(const float *x, float *y, int *from, int n)
{
    extern __shared__ float tile[];
    int *places = (int *)(tile + blockDim.x);
    int base = blockIdx.x * blockDim.x;
    int size = Piece(base, blockDim.x, n);
    int i = threadIdx.x;

    if (i < size) {
        tile[i] = x[base + i];
        places[i] = base + i;
    }
    __syncthreads();
    if (i < size) {
        y[base + i] = tile[size - 1 - i];
        from[base + i] = places[size - 1 - i];
    }
}

//: variant optin over48k
/* A piece much longer than the block: each thread takes every blockDim.x-th element of it. */
extern "C" __global__ void mirror_big(const float *x, float *y, int n, int elements)
{
    extern __shared__ float tile[];
    int base = blockIdx.x * elements;
    int size = Piece(base, elements, n);

    for (int i = threadIdx.x; i < size; i += blockDim.x)
        tile[i] = x[base + i];
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += blockDim.x)
        y[base + i] = tile[size - 1 - i];
}

//: variant overlap
/* WRONG: two extern arrays are one and the same memory, both from its start. */
extern "C" __global__ void mirror_overlap(const float *x, float *y, int *from, int n)
{
    extern __shared__ float tile[];
    extern __shared__ int places[];
    int base = blockIdx.x * blockDim.x;
    int size = Piece(base, blockDim.x, n);
    int i = threadIdx.x;

    if (i < size) {
        tile[i] = x[base + i];
        places[i] = base + i;
    }
    __syncthreads();
    if (i < size) {
        y[base + i] = tile[size - 1 - i];
        from[base + i] = places[size - 1 - i];
    }
}

//: variant nobarrier
/* WRONG: a thread reads what another one may not have written yet. */
extern "C" __global__ void mirror_nobarrier(const float *x, float *y, int n)
{
    extern __shared__ float tile[];
    int base = blockIdx.x * blockDim.x;
    int size = Piece(base, blockDim.x, n);
    int i = threadIdx.x;

    if (i < size)
        tile[i] = x[base + i];
    /* __syncthreads() is missing here */
    if (i < size)
        y[base + i] = tile[size - 1 - i];
}
