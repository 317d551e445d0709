/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The product of two matrices with asynchronous copies, for compute capability 8.0. The work is as
 * in the variant `double` of matmul.cu. The instruction cp.async copies from global to shared
 * memory, without a register in between. C++ has no operator for it, so it is written in PTX.
 */

//: used by all
#define SIDE 128    /* a block computes SIDE x SIDE elements of C, with 256 threads */
#define DEPTH 8     /* the columns of a tile of A, and the rows of a tile of B */

/* The 4 unused elements after each row of A avoid bank conflicts. */
struct Tiles {
    float a[SIDE][DEPTH + 4], b[DEPTH][SIDE];
};

/* Start to copy 4 or 16 bytes. If the source is not inside, zeros are stored. */
__device__ __forceinline__ void Start_copy4(float *to, const float *from, bool inside)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(inside ? 4 : 0)
                 : "memory");
}

__device__ __forceinline__ void Start_copy16(float *to, const float *from, bool inside)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(inside ? 16 : 0)
                 : "memory");
}

/* Wait until all copies that this thread started are complete. */
__device__ __forceinline__ void Wait_for_copies(void)
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/* Start to copy four neighbouring elements of a row. */
__device__ __forceinline__ void Start_copy(float *to, const float *matrix, int row, int col,
                                           int rows, int cols)
{
    if (cols % 4 == 0) {
        bool inside = row < rows && col < cols;
        Start_copy16(to, inside ? &matrix[row * cols + col] : matrix, inside);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        bool inside = row < rows && col + i < cols;
        Start_copy4(to + i, inside ? &matrix[row * cols + col + i] : matrix, inside);
    }
}

/* Start to copy this thread's part of both tiles. */
__device__ __forceinline__ void Start_tiles(Tiles *tiles, const float *a, const float *b, int m,
                                            int n, int k, int first)
{
    int me = threadIdx.x, r = me / 2, s = me % 2 * 4, t = me / 32, u = me % 32 * 4;

    Start_copy(&tiles->a[r][s], a, SIDE * blockIdx.y + r, first + s, m, k);
    Start_copy(&tiles->b[t][u], b, first + t, SIDE * blockIdx.x + u, k, n);
}

/* Four neighbouring elements, by one load. */
__device__ __forceinline__ void Take_four(float to[4], const float *from)
{
    float4 four = *(const float4 *)from;

    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

/* Add the products of these tiles to the 8 x 8 sums of this thread. */
__device__ __forceinline__ void Add_products(float sum[8][8], const Tiles *tiles)
{
    int x = threadIdx.x % 16 * 4, y = threadIdx.x / 16 * 4;

#pragma unroll
    for (int i = 0; i < DEPTH; i += 4) {
        float from_a[8][4], from_b[8];
#pragma unroll
        for (int r = 0; r < 8; r++)
            Take_four(from_a[r], &tiles->a[y + r % 4 + r / 4 * (SIDE / 2)][i]);
#pragma unroll
        for (int j = 0; j < 4; j++) {
            Take_four(from_b, &tiles->b[i + j][x]);
            Take_four(from_b + 4, &tiles->b[i + j][x + SIDE / 2]);
#pragma unroll
            for (int r = 0; r < 64; r++)
                sum[r / 8][r % 8] += from_a[r / 8][j] * from_b[r % 8];
        }
    }
}

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

//: variant async
/* The copies for the next tiles are on their way while the threads compute. */
extern "C" __global__ void matmul_async(const float *a, const float *b, float *c, int m, int n,
                                        int k)
{
    __shared__ __align__(16) Tiles tiles[2];
    int x = threadIdx.x % 16 * 4, y = threadIdx.x / 16 * 4;
    int row = SIDE * blockIdx.y + y, col = SIDE * blockIdx.x + x;
    float sum[8][8] = {};

    Start_tiles(&tiles[0], a, b, m, n, k, 0);
    for (int first = 0, now = 0; first < k; first += DEPTH, now = 1 - now) {
        Wait_for_copies();
        __syncthreads();   /* all copies are complete, and the other tiles are no longer needed */
        if (first + DEPTH < k)
            Start_tiles(&tiles[1 - now], a, b, m, n, k, first + DEPTH);
        Add_products(sum, &tiles[now]);
    }
#pragma unroll
    for (int r = 0; r < 8; r++) {
        int my_row = row + r % 4 + r / 4 * (SIDE / 2);
        Store_four(c, my_row, col, sum[r], m, n);
        Store_four(c, my_row, col + SIDE / 2, sum[r] + 4, m, n);
    }
}
