/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The product of two matrices of floats, C = A B: one kernel for each way to load the elements.
 *
 * A has m rows and k columns, B has k rows and n columns, and C has m rows and n columns. Each
 * matrix is stored row by row, without padding. Any m, n and k are possible.
 *
 * "//: variant NAME" begins the part of one variant. "//: used by NAME ..." begins a part that
 * these variants need too. A part ends where the next one begins.
 */

//: used by tiled16 tiled32 nobarrier1 nobarrier2 regtile regtile8 wide double warptile
/* The element in this row and column, or 0 outside of the matrix. */
__device__ __forceinline__ float Element(const float *matrix, int row, int col, int rows, int cols)
{
    return row < rows && col < cols ? matrix[row * cols + col] : 0.0f;
}

//: used by tiled16 tiled32 nobarrier1 nobarrier2
/* Shared memory has one square tile of A and one of B. */
template <int TILE> struct Tiles {
    float a[TILE][TILE], b[TILE][TILE];
};

/* Each thread loads one element of each tile. The tiles begin at column `first` of A and at row
 * `first` of B. */
template <int TILE>
__device__ __forceinline__ void Load_tiles(Tiles<TILE> *tiles, const float *a, const float *b,
                                           int m, int n, int k, int row, int col, int first)
{
    int x = threadIdx.x, y = threadIdx.y;

    tiles->a[y][x] = Element(a, row, first + x, m, k);
    tiles->b[y][x] = Element(b, first + y, col, k, n);
}

/* One row of the tile of A times one column of the tile of B. */
template <int TILE>
__device__ __forceinline__ float Add_products(const Tiles<TILE> *tiles, float sum)
{
#pragma unroll
    for (int i = 0; i < TILE; i++)
        sum += tiles->a[threadIdx.y][i] * tiles->b[i][threadIdx.x];
    return sum;
}

//: variant oneblock
/* One block of n x m threads. It computes all of C, so C has at most as many elements as a block
 * has threads. */
extern "C" __global__ void matmul_oneblock(const float *a, const float *b, float *c, int m, int n,
                                           int k)
{
    int row = threadIdx.y, col = threadIdx.x;
    float sum = 0.0f;

    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

//: variant naive-rowx
/* x is the row. So the 32 lanes of a warp read 32 different rows of A. */
extern "C" __global__ void matmul_naive_rowx(const float *a, const float *b, float *c, int m,
                                             int n, int k)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    int col = blockDim.y * blockIdx.y + threadIdx.y;
    float sum = 0.0f;

    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

//: variant naive
/* x is the column. So the 32 lanes of a warp read 32 neighbouring elements of B. */
extern "C" __global__ void matmul_naive(const float *a, const float *b, float *c, int m, int n,
                                        int k)
{
    int row = blockDim.y * blockIdx.y + threadIdx.y;
    int col = blockDim.x * blockIdx.x + threadIdx.x;
    float sum = 0.0f;

    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

//: variant tiled16
/* A block loads a tile of A and a tile of B into shared memory. Each element is then used by 16
 * threads. */
extern "C" __global__ void matmul_tiled16(const float *a, const float *b, float *c, int m, int n,
                                          int k)
{
    __shared__ Tiles<16> tiles;
    int row = 16 * blockIdx.y + threadIdx.y, col = 16 * blockIdx.x + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < k; first += 16) {
        Load_tiles(&tiles, a, b, m, n, k, row, col, first);
        __syncthreads();   /* all threads have stored their elements */
        sum = Add_products(&tiles, sum);
        __syncthreads();   /* all threads have read these tiles */
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

//: variant tiled32
/* The same with larger tiles. Each element is used by 32 threads. */
extern "C" __global__ void matmul_tiled32(const float *a, const float *b, float *c, int m, int n,
                                          int k)
{
    __shared__ Tiles<32> tiles;
    int row = 32 * blockIdx.y + threadIdx.y, col = 32 * blockIdx.x + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < k; first += 32) {
        Load_tiles(&tiles, a, b, m, n, k, row, col, first);
        __syncthreads();   /* all threads have stored their elements */
        sum = Add_products(&tiles, sum);
        __syncthreads();   /* all threads have read these tiles */
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

//: variant nobarrier1
/* WRONG: no barrier after the loads. A thread may read an element before it is stored. */
extern "C" __global__ void matmul_nobarrier1(const float *a, const float *b, float *c, int m,
                                             int n, int k)
{
    __shared__ Tiles<16> tiles;
    int row = 16 * blockIdx.y + threadIdx.y, col = 16 * blockIdx.x + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < k; first += 16) {
        Load_tiles(&tiles, a, b, m, n, k, row, col, first);
        sum = Add_products(&tiles, sum);
        __syncthreads();   /* all threads have read these tiles */
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

//: variant nobarrier2
/* WRONG: no barrier before the next loads. A thread may overwrite an element that is still
 * needed. */
extern "C" __global__ void matmul_nobarrier2(const float *a, const float *b, float *c, int m,
                                             int n, int k)
{
    __shared__ Tiles<16> tiles;
    int row = 16 * blockIdx.y + threadIdx.y, col = 16 * blockIdx.x + threadIdx.x;
    float sum = 0.0f;

    for (int first = 0; first < k; first += 16) {
        Load_tiles(&tiles, a, b, m, n, k, row, col, first);
        __syncthreads();   /* all threads have stored their elements */
        sum = Add_products(&tiles, sum);
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

//: used by regtile regtile8
/*
 * A block of 16 x 16 threads computes EACH x EACH elements of C with each thread. They are 16 rows
 * and 16 columns apart. A tile of A has DEPTH columns, and a tile of B has DEPTH rows.
 */
template <int EACH, int DEPTH>
__device__ __forceinline__ void Multiply_in_registers(const float *a, const float *b, float *c,
                                                      int m, int n, int k)
{
    const int SIDE = 16 * EACH, THREADS = 256;
    __shared__ float tile_a[SIDE][DEPTH], tile_b[DEPTH][SIDE];
    int x = threadIdx.x, y = threadIdx.y, me = 16 * y + x;
    int row = SIDE * blockIdx.y, col = SIDE * blockIdx.x;
    float sum[EACH][EACH] = {};

    for (int first = 0; first < k; first += DEPTH) {
#pragma unroll
        for (int i = me, j = 0; j < SIDE * DEPTH / THREADS; i += THREADS, j++) {
            int r = i / DEPTH, s = i % DEPTH, t = i / SIDE, u = i % SIDE;
            tile_a[r][s] = Element(a, row + r, first + s, m, k);
            tile_b[t][u] = Element(b, first + t, col + u, k, n);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float from_a[EACH], from_b[EACH];   /* in registers */
#pragma unroll
            for (int j = 0; j < EACH; j++) {
                from_a[j] = tile_a[y + 16 * j][i];
                from_b[j] = tile_b[i][x + 16 * j];
            }
#pragma unroll
            for (int j = 0; j < EACH * EACH; j++)
                sum[j / EACH][j % EACH] += from_a[j / EACH] * from_b[j % EACH];
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < EACH * EACH; j++) {
        int my_row = row + y + j / EACH * 16, my_col = col + x + j % EACH * 16;
        if (my_row < m && my_col < n)
            c[my_row * n + my_col] = sum[j / EACH][j % EACH];
    }
}

//: variant regtile
/* Each thread computes 4 x 4 elements. It uses each value from shared memory 4 times. */
extern "C" __global__ void matmul_regtile(const float *a, const float *b, float *c, int m, int n,
                                          int k)
{
    Multiply_in_registers<4, 16>(a, b, c, m, n, k);
}

//: variant regtile8
/* Each thread computes 8 x 8 elements. It uses each value from shared memory 8 times. */
extern "C" __global__ void matmul_regtile8(const float *a, const float *b, float *c, int m, int n,
                                           int k)
{
    Multiply_in_registers<8, 8>(a, b, c, m, n, k);
}

//: used by wide double
#define SIDE 128    /* a block computes SIDE x SIDE elements of C */
#define DEPTH 8     /* the columns of a tile of A, and the rows of a tile of B */

/* The tile of A is stored by columns, so that four elements of a column are neighbours. The 4
 * unused elements after each column avoid bank conflicts. */
struct Wide_tiles {
    float a[DEPTH][SIDE + 4], b[DEPTH][SIDE];
};

//: used by wide double warptile
/* Four neighbouring elements of a row, with 0 outside of the matrix. One load reads all four if
 * each row begins at a multiple of 16 bytes. */
__device__ __forceinline__ float4 Four_elements(const float *matrix, int row, int col, int rows,
                                                int cols)
{
    if (cols % 4 == 0 && row < rows && col < cols) {
        float4 v = *(const float4 *)&matrix[row * cols + col];
        return make_float4(v.x, v.y, v.z, v.w);   /* part by part: clang splits a copy */
    }
    if (cols % 4 == 0)
        return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    return make_float4(Element(matrix, row, col, rows, cols),
                       Element(matrix, row, col + 1, rows, cols),
                       Element(matrix, row, col + 2, rows, cols),
                       Element(matrix, row, col + 3, rows, cols));
}

//: used by wide double
/* The part of the tile of A that this thread loads: 4 elements of one row. */
__device__ __forceinline__ float4 My_part_of_a(const float *a, int m, int k, int first)
{
    int me = threadIdx.x;
    return Four_elements(a, SIDE * blockIdx.y + me / 2, first + me % 2 * 4, m, k);
}

/* Its part of the tile of B. */
__device__ __forceinline__ float4 My_part_of_b(const float *b, int k, int n, int first)
{
    int me = threadIdx.x;
    return Four_elements(b, first + me / 32, SIDE * blockIdx.x + me % 32 * 4, k, n);
}

__device__ __forceinline__ void Store_tiles(Wide_tiles *tiles, float4 part_a, float4 part_b)
{
    int me = threadIdx.x, row = me / 2, col = me % 2 * 4;

    tiles->a[col][row] = part_a.x;
    tiles->a[col + 1][row] = part_a.y;
    tiles->a[col + 2][row] = part_a.z;
    tiles->a[col + 3][row] = part_a.w;
    *(float4 *)&tiles->b[me / 32][me % 32 * 4] =
        make_float4(part_b.x, part_b.y, part_b.z, part_b.w);
}

/* Eight elements: four, and four more that begin 64 elements later. */
__device__ __forceinline__ void Take_eight(float to[8], const float *from)
{
    float4 low = *(const float4 *)from, high = *(const float4 *)(from + SIDE / 2);

    to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
    to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
}

/* Add the products of these tiles to the 8 x 8 sums of this thread. */
__device__ __forceinline__ void Add_wide_products(float sum[8][8], const Wide_tiles *tiles)
{
    int x = threadIdx.x % 16 * 4, y = threadIdx.x / 16 * 4;

#pragma unroll
    for (int i = 0; i < DEPTH; i++) {
        float from_a[8], from_b[8];
        Take_eight(from_a, &tiles->a[i][y]);
        Take_eight(from_b, &tiles->b[i][x]);
#pragma unroll
        for (int j = 0; j < 64; j++)
            sum[j / 8][j % 8] += from_a[j / 8] * from_b[j % 8];
    }
}

//: used by wide double warptile
/* Store four neighbouring elements of C, as far as they are inside. */
__device__ __forceinline__ void Store_four(float *c, int row, int col, const float v[4], int m,
                                           int n)
{
    if (row >= m || col >= n)
        return;
    if (n % 4 == 0) {
        *(float4 *)&c[row * n + col] = make_float4(v[0], v[1], v[2], v[3]);
        return;
    }
#pragma unroll
    for (int s = 0; s < 4; s++)
        if (col + s < n)
            c[row * n + col + s] = v[s];
}

//: used by wide double
__device__ __forceinline__ void Store_sums(float *c, const float sum[8][8], int m, int n)
{
    int x = threadIdx.x % 16 * 4, y = threadIdx.x / 16 * 4;
    int row = SIDE * blockIdx.y + y, col = SIDE * blockIdx.x + x;

#pragma unroll
    for (int r = 0; r < 8; r++) {
        int my_row = row + r % 4 + r / 4 * (SIDE / 2);
        Store_four(c, my_row, col, sum[r], m, n);
        Store_four(c, my_row, col + SIDE / 2, sum[r] + 4, m, n);
    }
}

//: variant wide
/* One load reads four elements, from global memory and from shared memory. A block has 256
 * threads. */
extern "C" __global__ void matmul_wide(const float *a, const float *b, float *c, int m, int n,
                                       int k)
{
    __shared__ __align__(16) Wide_tiles tiles;
    float sum[8][8] = {};

    for (int first = 0; first < k; first += DEPTH) {
        Store_tiles(&tiles, My_part_of_a(a, m, k, first), My_part_of_b(b, k, n, first));
        __syncthreads();
        Add_wide_products(sum, &tiles);
        __syncthreads();
    }
    Store_sums(c, sum, m, n);
}

//: variant double
/* Two buffers. The loads for the next tiles are on their way while the threads compute, and one
 * barrier for each step is enough. */
extern "C" __global__ void matmul_double(const float *a, const float *b, float *c, int m, int n,
                                         int k)
{
    __shared__ __align__(16) Wide_tiles tiles[2];
    float sum[8][8] = {};

    Store_tiles(&tiles[0], My_part_of_a(a, m, k, 0), My_part_of_b(b, k, n, 0));
    __syncthreads();
    for (int first = 0, now = 0; first < k; first += DEPTH, now = 1 - now) {
        bool more = first + DEPTH < k;
        float4 next_a, next_b;
        if (more) {
            next_a = My_part_of_a(a, m, k, first + DEPTH);
            next_b = My_part_of_b(b, k, n, first + DEPTH);
        }
        Add_wide_products(sum, &tiles[now]);
        if (more)
            Store_tiles(&tiles[1 - now], next_a, next_b);
        __syncthreads();
    }
    Store_sums(c, sum, m, n);
}

//: used by warptile
/* Four neighbouring elements, by one load. */
__device__ __forceinline__ float4 Four_inside(const float *from)
{
    float4 v = *(const float4 *)from;
    return make_float4(v.x, v.y, v.z, v.w);   /* part by part: clang splits a copy */
}

/* The elements of a tile of HIGH x WIDE that this thread loads: fours of neighbours in a row. If
 * all tiles fit, no load needs a test. */
template <int HIGH, int WIDE, int THREADS, bool FITS>
__device__ __forceinline__ void Load_fours(float4 *to, const float *matrix, int row, int col,
                                           int rows, int cols)
{
    int me = threadIdx.x;

#pragma unroll
    for (int j = 0; j < HIGH * WIDE / 4 / THREADS; j++) {
        int i = me + j * THREADS;
        if (FITS)
            to[j] = Four_inside(&matrix[(size_t)(row + i / (WIDE / 4)) * cols + col +
                                        i % (WIDE / 4) * 4]);
        else
            to[j] = Four_elements(matrix, row + i / (WIDE / 4), col + i % (WIDE / 4) * 4, rows,
                                  cols);
    }
}

/* EACH elements from shared memory: fours that begin APART elements from each other. */
template <int EACH, int APART>
__device__ __forceinline__ void Take_fours(float to[EACH], const float *from)
{
#pragma unroll
    for (int j = 0; j < EACH; j += 4) {
        float4 four = *(const float4 *)(from + j / 4 * APART);
        to[j] = four.x, to[j + 1] = four.y, to[j + 2] = four.z, to[j + 3] = four.w;
    }
}

/*
 * A block computes ROWS x COLS elements of C, in steps of DEEP columns of A. A warp computes a tile
 * of its own, with 4 x 8 lanes and EACH x EACH elements for each lane. While a lane multiplies the
 * values of one column of A, it loads the values of the next one from shared memory. The 4 unused
 * elements after each column of the tile of A avoid bank conflicts.
 */
template <int ROWS, int COLS, int DEEP, int EACH, bool FITS>
__device__ __forceinline__ void Multiply_by_warps(const float *a, const float *b, float *c, int m,
                                                  int n, int k)
{
    const int ACROSS = COLS / (8 * EACH), THREADS = 32 * ACROSS * ROWS / (4 * EACH);
    const int OF_A = ROWS * DEEP / 4 / THREADS, OF_B = DEEP * COLS / 4 / THREADS;
    __shared__ __align__(16) float a_tile[2][DEEP][ROWS + 4], b_tile[2][DEEP][COLS];
    int me = threadIdx.x, warp = me / 32, lane = me % 32;
    int y = warp / ACROSS * 4 * EACH + lane / 8 * 4, x = warp % ACROSS * 8 * EACH + lane % 8 * 4;
    const int row = FITS ? 0 : ROWS * blockIdx.y, col = FITS ? 0 : COLS * blockIdx.x;
    float4 part_a[OF_A], part_b[OF_B];
    float sum[EACH][EACH] = {};

    if (FITS) {   /* the block's rows of A and columns of B begin here */
        a += (size_t)ROWS * blockIdx.y * k;
        b += COLS * blockIdx.x;
    }
    Load_fours<ROWS, DEEP, THREADS, FITS>(part_a, a, row, 0, m, k);
    Load_fours<DEEP, COLS, THREADS, FITS>(part_b, b, 0, col, k, n);
#pragma unroll
    for (int j = 0; j < OF_A; j++) {   /* the tile of A by columns */
        int i = me + j * THREADS, r = i / (DEEP / 4), s = i % (DEEP / 4) * 4;
        a_tile[0][s][r] = part_a[j].x;
        a_tile[0][s + 1][r] = part_a[j].y;
        a_tile[0][s + 2][r] = part_a[j].z;
        a_tile[0][s + 3][r] = part_a[j].w;
    }
#pragma unroll
    for (int j = 0; j < OF_B; j++) {   /* the tile of B by rows */
        int i = me + j * THREADS, r = i / (COLS / 4), s = i % (COLS / 4) * 4;
        *(float4 *)&b_tile[0][r][s] =
            make_float4(part_b[j].x, part_b[j].y, part_b[j].z, part_b[j].w);
    }
    __syncthreads();
    for (int first = 0, now = 0; first < k; first += DEEP, now ^= 1) {
        bool more = first + DEEP < k;
        if (more) {
            Load_fours<ROWS, DEEP, THREADS, FITS>(part_a, a, row, first + DEEP, m, k);
            Load_fours<DEEP, COLS, THREADS, FITS>(part_b, b, first + DEEP, col, k, n);
        }
        float from_a[2][EACH], from_b[2][EACH];
        Take_fours<EACH, 16>(from_a[0], &a_tile[now][0][y]);
        Take_fours<EACH, 32>(from_b[0], &b_tile[now][0][x]);
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            if (i + 1 < DEEP) {
                Take_fours<EACH, 16>(from_a[(i + 1) % 2], &a_tile[now][i + 1][y]);
                Take_fours<EACH, 32>(from_b[(i + 1) % 2], &b_tile[now][i + 1][x]);
            }
#pragma unroll
            for (int j = 0; j < EACH * EACH; j++)
                sum[j / EACH][j % EACH] += from_a[i % 2][j / EACH] * from_b[i % 2][j % EACH];
        }
        if (more) {
#pragma unroll
            for (int j = 0; j < OF_A; j++) {   /* the tile of A by columns */
                int i = me + j * THREADS, r = i / (DEEP / 4), s = i % (DEEP / 4) * 4;
                a_tile[now ^ 1][s][r] = part_a[j].x;
                a_tile[now ^ 1][s + 1][r] = part_a[j].y;
                a_tile[now ^ 1][s + 2][r] = part_a[j].z;
                a_tile[now ^ 1][s + 3][r] = part_a[j].w;
            }
#pragma unroll
            for (int j = 0; j < OF_B; j++) {   /* the tile of B by rows */
                int i = me + j * THREADS, r = i / (COLS / 4), s = i % (COLS / 4) * 4;
                *(float4 *)&b_tile[now ^ 1][r][s] =
                    make_float4(part_b[j].x, part_b[j].y, part_b[j].z, part_b[j].w);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        int my_row = ROWS * blockIdx.y + y + r % 4 + r / 4 * 16, my_col = COLS * blockIdx.x + x;
#pragma unroll
        for (int j = 0; j < EACH; j += 4)
            if (FITS)
                *(float4 *)&c[(size_t)my_row * n + my_col + j / 4 * 32] =
                    make_float4(sum[r][j], sum[r][j + 1], sum[r][j + 2], sum[r][j + 3]);
            else
                Store_four(c, my_row, my_col + j / 4 * 32, &sum[r][j], m, n);
    }
}

//: variant warptile
/* 128 x 128 elements for each block, if all tiles fit exactly. The bounds limit the registers, so
 * that two blocks of 256 threads have room on a multiprocessor. */
extern "C" __global__ void __launch_bounds__(256, 2)
matmul_warptile(const float *a, const float *b, float *c, int m, int n, int k)
{
    Multiply_by_warps<128, 128, 8, 8, true>(a, b, c, m, n, k);
}

/* 64 x 128 elements, for any sizes: twice as many blocks. */
extern "C" __global__ void __launch_bounds__(128, 4)
matmul_warptile64(const float *a, const float *b, float *c, int m, int n, int k)
{
    if (m % 64 == 0 && n % 128 == 0 && k % 8 == 0)
        Multiply_by_warps<64, 128, 8, 8, true>(a, b, c, m, n, k);
    else
        Multiply_by_warps<64, 128, 8, 8, false>(a, b, c, m, n, k);
}

/* 64 x 32 elements, and 4 x 4 for each thread: for small matrices. */
extern "C" __global__ void __launch_bounds__(128, 4)
matmul_warptile32(const float *a, const float *b, float *c, int m, int n, int k)
{
    if (m % 64 == 0 && n % 32 == 0 && k % 16 == 0)
        Multiply_by_warps<64, 32, 16, 4, true>(a, b, c, m, n, k);
    else
        Multiply_by_warps<64, 32, 16, 4, false>(a, b, c, m, n, k);
}

//: used by wmma
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

#define SQUARE 64    /* a block computes SQUARE x SQUARE elements of C, with four warps */

/* Shared memory has the tiles, with padding against bank conflicts. At the end it has the sums. */
union Half_tiles {
    struct { half a[SQUARE][16 + 8], b[16][SQUARE + 8]; } in;
    float sums[SQUARE][SQUARE + 4];
};

/* Copy eight neighbouring elements of a row, with 0 outside of the matrix. */
__device__ __forceinline__ void Copy_eight(half *to, const half *matrix, int row, int col,
                                           int rows, int cols)
{
    if (cols % 8 == 0) {
        *(uint4 *)to = row < rows && col < cols ? *(const uint4 *)&matrix[row * cols + col]
                                                : make_uint4(0, 0, 0, 0);
        return;
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        to[i] = row < rows && col + i < cols ? matrix[row * cols + col + i]
                                             : __float2half(0.0f);
}

//: variant wmma
/* Tensor cores. A and B have elements of 16 bits, and the sums are floats. A warp computes 32 x 32
 * elements of C, in four squares of 16 x 16. */
extern "C" __global__ void matmul_wmma(const half *a, const half *b, float *c, int m, int n,
                                       int k)
{
    __shared__ __align__(32) Half_tiles tiles;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
    int me = threadIdx.x, warp = me / 32, y = warp / 2 * 32, x = warp % 2 * 32;
    int row = SQUARE * blockIdx.y, col = SQUARE * blockIdx.x;

#pragma unroll
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(sum[i / 2][i % 2], 0.0f);
    for (int first = 0; first < k; first += 16) {
        int r = me / 2, s = me % 2 * 8, t = me / 8, u = me % 8 * 8;
        Copy_eight(&tiles.in.a[r][s], a, row + r, first + s, m, k);
        Copy_eight(&tiles.in.b[t][u], b, first + t, col + u, k, n);
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> from_a[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> from_b[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(from_a[i], &tiles.in.a[y + 16 * i][0], 16 + 8);
            wmma::load_matrix_sync(from_b[i], &tiles.in.b[0][x + 16 * i], SQUARE + 8);
        }
#pragma unroll
        for (int i = 0; i < 4; i++)
            wmma::mma_sync(sum[i / 2][i % 2], from_a[i / 2], from_b[i % 2], sum[i / 2][i % 2]);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        wmma::store_matrix_sync(&tiles.sums[y + i / 2 * 16][x + i % 2 * 16], sum[i / 2][i % 2],
                                SQUARE + 4, wmma::mem_row_major);
    __syncthreads();
    for (int i = me; i < SQUARE * SQUARE; i += 128) {
        int r = i / SQUARE, s = i % SQUARE;
        if (row + r < m && col + s < n)
            c[(row + r) * n + col + s] = tiles.sums[r][s];
    }
}

//: variant cublas
/* This kernel is in cuBLAS: cublasSgemm. cuBLAS stores matrices by columns, so it sees the
 * transpose of each of our matrices. The call computes the transpose of C: the transpose of B times the
 * transpose of A. */
