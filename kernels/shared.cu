/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared memory, declared in every way.
 *
 * All kernels do the same work. Each block reverses its own piece of x, so y has the first
 * element of the piece last. A thread needs the value that another thread loaded, so the piece
 * goes through shared memory. The last piece may be shorter. The compiler or the launch fixes
 * the size of the array. Each wrong kernel has one mistake.
 */

//: used by all
/* The number of elements in this block's piece: `tile`, or the rest of n. */
__device__ __forceinline__ int Piece(int base, int tile, int n)
{
    return n - base < tile ? n - base : tile;
}

//: variant static
#define MAX_BLKSZ 1024   /* the maximum number of threads in a block */

/* An array of fixed size. Every block has all of it, even with few threads. */
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
/* The size is the third number of the launch: <<<blocks, threads, bytes>>>. */
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
/* Two arrays in one extern array: the second one begins where the first one ends. */
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
/* A piece that is longer than the block. Each thread takes every blockDim.x-th element. */
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
/* WRONG: two extern arrays begin at the same address. */
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
/* WRONG: a thread may read an element before another thread has stored it. */
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
