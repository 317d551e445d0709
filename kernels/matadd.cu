/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sum of two matrices of floats, C = A + B. The kernels differ in which thread computes which
 * element. Each matrix is stored row by row. `pitch` is the distance from one row to the next, in
 * bytes. It is the same for all three matrices.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: used by colx rowx flat rowblocks dense
/* The address of an element: whole rows of `pitch` bytes, then columns of 4 bytes. */
__device__ __forceinline__ const float *At(const float *matrix, int pitch, int row, int col)
{
    return (const float *)((const char *)matrix + (size_t)row * pitch) + col;
}

/* Add the two elements in this row and column. */
__device__ __forceinline__ void Add(const float *a, const float *b, float *c, int pitch, int row,
                                    int col)
{
    *(float *)At(c, pitch, row, col) = *At(a, pitch, row, col) + *At(b, pitch, row, col);
}

//: variant colx dense
/* x is the column. So neighbouring lanes have neighbouring elements of one row. */
extern "C" __global__ void matadd_colx(const float *a, const float *b, float *c, int rows,
                                       int cols, int pitch)
{
    int row = blockDim.y * blockIdx.y + threadIdx.y;
    int col = blockDim.x * blockIdx.x + threadIdx.x;

    if (row < rows && col < cols)
        Add(a, b, c, pitch, row, col);
}

//: variant rowx
/* x is the row. So neighbouring lanes have elements of different rows. */
extern "C" __global__ void matadd_rowx(const float *a, const float *b, float *c, int rows,
                                       int cols, int pitch)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    int col = blockDim.y * blockIdx.y + threadIdx.y;

    if (row < rows && col < cols)
        Add(a, b, c, pitch, row, col);
}

//: variant flat
/* Blocks and threads have one dimension. A thread computes its row and column from its number. */
extern "C" __global__ void matadd_flat(const float *a, const float *b, float *c, int rows,
                                       int cols, int pitch)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int row = i / cols, col = i % cols;

    if (row < rows)
        Add(a, b, c, pitch, row, col);
}

//: variant rowblocks
/* There is one block for each row. Its threads go along the row together. */
extern "C" __global__ void matadd_rowblocks(const float *a, const float *b, float *c, int rows,
                                            int cols, int pitch)
{
    for (int col = threadIdx.x; col < cols; col += blockDim.x)
        Add(a, b, c, pitch, blockIdx.x, col);
}

//: variant nopitch
/* WRONG: the index ignores the padding at the end of each row. */
extern "C" __global__ void matadd_nopitch(const float *a, const float *b, float *c, int rows,
                                          int cols, int pitch)
{
    int row = blockDim.y * blockIdx.y + threadIdx.y;
    int col = blockDim.x * blockIdx.x + threadIdx.x;
    int i = row * cols + col;

    if (row < rows && col < cols)
        c[i] = a[i] + b[i];
}

//: variant bytepitch
/* WRONG: the pitch is a number of bytes, and here it is used as a number of floats. */
extern "C" __global__ void matadd_bytepitch(const float *a, const float *b, float *c, int rows,
                                            int cols, int pitch)
{
    int row = blockDim.y * blockIdx.y + threadIdx.y;
    int col = blockDim.x * blockIdx.x + threadIdx.x;
    int i = row * pitch + col;

    if (row < rows && col < cols)
        c[i] = a[i] + b[i];
}
