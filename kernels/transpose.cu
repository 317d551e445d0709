/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The transpose of a matrix of floats, B = A^T: row i of A becomes column i of B. A has `rows` rows
 * and `cols` columns, so B has `cols` rows and `rows` columns. Both are stored row by row, without
 * padding. Any number of rows and columns is possible.
 *
 * A warp that reads a row of A must write a column of B. With a tile in shared memory it can read a
 * row and write a row.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: variant naive-read
/* x is the column of A. So a warp reads neighbouring elements and writes to 32 rows of B. */
extern "C" __global__ void transpose_naive_read(const float *a, float *b, int rows, int cols)
{
    int row = blockDim.y * blockIdx.y + threadIdx.y;
    int col = blockDim.x * blockIdx.x + threadIdx.x;

    if (row < rows && col < cols)
        b[col * rows + row] = a[row * cols + col];
}

//: variant naive-write
/* x is the row of A. So a warp reads from 32 rows of A and writes neighbouring elements. */
extern "C" __global__ void transpose_naive_write(const float *a, float *b, int rows, int cols)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    int col = blockDim.y * blockIdx.y + threadIdx.y;

    if (row < rows && col < cols)
        b[col * rows + row] = a[row * cols + col];
}

//: variant tiled
/* The tile has rows of 32 floats. So all elements of a column of the tile are in one bank. */
extern "C" __global__ void transpose_tiled(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    int row = 32 * blockIdx.y, col = 32 * blockIdx.x;   /* the tile begins here in A */

    if (row + y < rows && col + x < cols)
        tile[y][x] = a[(row + y) * cols + col + x];
    __syncthreads();
    if (col + y < cols && row + x < rows)
        b[(col + y) * rows + row + x] = tile[x][y];
}

//: variant padded
/* Each row of the tile has one more float. So the elements of a column are in 32 banks. */
extern "C" __global__ void transpose_padded(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    int row = 32 * blockIdx.y, col = 32 * blockIdx.x;   /* the tile begins here in A */

    if (row + y < rows && col + x < cols)
        tile[y][x] = a[(row + y) * cols + col + x];
    __syncthreads();
    if (col + y < cols && row + x < rows)
        b[(col + y) * rows + row + x] = tile[x][y];
}

//: variant swizzled
/* No padding: each row of the tile has its elements in another order. */
extern "C" __global__ void transpose_swizzled(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[32][32];   /* element (y, x) is at tile[y][x ^ y] */
    int x = threadIdx.x, y = threadIdx.y;
    int row = 32 * blockIdx.y, col = 32 * blockIdx.x;   /* the tile begins here in A */

    if (row + y < rows && col + x < cols)
        tile[y][x ^ y] = a[(row + y) * cols + col + x];
    __syncthreads();
    if (col + y < cols && row + x < rows)
        b[(col + y) * rows + row + x] = tile[x][y ^ x];
}

//: variant rows4
/* The block has 32 x 8 threads. Each thread has four elements, and loads all of them first. */
extern "C" __global__ void transpose_rows4(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    int row = 32 * blockIdx.y, col = 32 * blockIdx.x;   /* the tile begins here in A */
    float four[4];

#pragma unroll
    for (int k = 0; k < 4; k++) {
        int r = row + y + 8 * k, c = col + x;
        four[k] = r < rows && c < cols ? a[r * cols + c] : 0.0f;
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        tile[y + 8 * k][x] = four[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int r = col + y + 8 * k, c = row + x;   /* row and column of B */
        if (r < cols && c < rows)
            b[r * rows + c] = tile[x][y + 8 * k];
    }
}

//: used by best copy
/*
 * A block has 256 threads for 64 x 64 elements. If a row has a multiple of four elements, a thread
 * accesses four elements at once, as a float4. Then a warp accesses 32 elements of four rows. In
 * other rows a float4 may begin at an address that is not a multiple of 16, which is not allowed.
 * Then a thread accesses one element at once, and a warp accesses 32 elements of one row.
 */
enum { WIDE = 64, THREADS = 256 };

/* Each thread has four float4. Number k begins in this row and column of the 64 x 64 elements. */
__device__ __forceinline__ int Row_of(int k)
{
    return threadIdx.x / 8 + k / 2 * 32;
}

__device__ __forceinline__ int Col_of(int k)
{
    return threadIdx.x % 8 * 4 + k % 2 * 32;
}

/* The four loads come first, so that no load waits for another one. */
__device__ __forceinline__ void Load_fours(float4 four[4], const float *a, int row, int col,
                                           int rows, int cols)
{
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int r = row + Row_of(k), c = col + Col_of(k);
        four[k] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (r < rows && c < cols)
            four[k] = *(const float4 *)&a[r * cols + c];
    }
}

//: used by best
/* Copies 64 x 64 elements of A to the tile. They begin at this row and column of A. */
__device__ __forceinline__ void Load_tile(float tile[][WIDE + 1], const float *a, int row, int col,
                                          int rows, int cols)
{
    if (cols % 4 == 0) {
        float4 four[4];
        Load_fours(four, a, row, col, rows, cols);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float *to = &tile[Row_of(k)][Col_of(k)];
            to[0] = four[k].x;
            to[1] = four[k].y;
            to[2] = four[k].z;
            to[3] = four[k].w;
        }
        return;
    }
    for (int i = threadIdx.x; i < WIDE * WIDE; i += THREADS) {
        int y = i / WIDE, x = i % WIDE;
        if (row + y < rows && col + x < cols)
            tile[y][x] = a[(row + y) * cols + col + x];
    }
}

/* Copies the columns of the tile to rows of B. They begin at this row and column of B. */
__device__ __forceinline__ void Store_tile(const float tile[][WIDE + 1], float *b, int row, int col,
                                           int rows, int cols)
{
    if (cols % 4 == 0) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int y = Row_of(k), x = Col_of(k);
            if (row + y < rows && col + x < cols)
                *(float4 *)&b[(row + y) * cols + col + x] =
                    make_float4(tile[x][y], tile[x + 1][y], tile[x + 2][y], tile[x + 3][y]);
        }
        return;
    }
    for (int i = threadIdx.x; i < WIDE * WIDE; i += THREADS) {
        int y = i / WIDE, x = i % WIDE;
        if (row + y < rows && col + x < cols)
            b[(row + y) * cols + col + x] = tile[x][y];
    }
}

//: variant best
/* Larger tiles, and four elements for each access to global memory. A thread has 16 elements. */
extern "C" __global__ void transpose_best(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[WIDE][WIDE + 1];
    int row = WIDE * blockIdx.y, col = WIDE * blockIdx.x;   /* the tile begins here in A */

    Load_tile(tile, a, row, col, rows, cols);
    __syncthreads();
    Store_tile(tile, b, col, row, cols, rows);
}

//: variant copy
/* NOT A TRANSPOSE: B = A, with the launch of `best`. No transpose moves fewer bytes. */
extern "C" __global__ void transpose_copy(const float *a, float *b, int rows, int cols)
{
    int row = WIDE * blockIdx.y, col = WIDE * blockIdx.x;

    if (cols % 4 == 0) {
        float4 four[4];
        Load_fours(four, a, row, col, rows, cols);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int r = row + Row_of(k), c = col + Col_of(k);
            if (r < rows && c < cols)
                *(float4 *)&b[r * cols + c] =   /* part by part: clang splits a copy */
                    make_float4(four[k].x, four[k].y, four[k].z, four[k].w);
        }
        return;
    }
    for (int i = threadIdx.x; i < WIDE * WIDE; i += THREADS) {
        int r = row + i / WIDE, c = col + i % WIDE;
        if (r < rows && c < cols)
            b[r * cols + c] = a[r * cols + c];
    }
}

//: variant nobarrier
/* WRONG: a thread may read an element of the tile before another thread has stored it. */
extern "C" __global__ void transpose_nobarrier(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    int row = 32 * blockIdx.y, col = 32 * blockIdx.x;   /* the tile begins here in A */

    if (row + y < rows && col + x < cols)
        tile[y][x] = a[(row + y) * cols + col + x];
    /* __syncthreads() is missing here */
    if (col + y < cols && row + x < rows)
        b[(col + y) * rows + row + x] = tile[x][y];
}

//: variant sameplace
/* WRONG: each tile is transposed, but it is written to its old place. */
extern "C" __global__ void transpose_sameplace(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    int row = 32 * blockIdx.y, col = 32 * blockIdx.x;   /* the tile begins here in A */

    if (row + y < rows && col + x < cols)
        tile[y][x] = a[(row + y) * cols + col + x];
    __syncthreads();
    if (row + y < cols && col + x < rows)
        b[(row + y) * rows + col + x] = tile[x][y];
}
