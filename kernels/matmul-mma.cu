/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The product of two matrices on tensor cores, for compute capability 8.0. The variant `wmma` of
 * matmul.cu leaves the place of each element to the compiler. Here the instructions are written in
 * PTX: cp.async copies to shared memory, ldmatrix loads from there, and mma multiplies.
 */

//: used by all
#include <cuda_fp16.h>

#define ROWS 256       /* a block computes ROWS x COLS elements of C, with 8 warps */
#define COLS 128
#define DEPTH 64       /* the columns of a tile of A, and the rows of a tile of B */
#define SIDE 64        /* a warp computes SIDE x SIDE of them */
#define THREADS 256
#define STAGES 3       /* the copies of two stages are on their way while the warps compute */

/* The rows of a tile have no gaps: cp.async is slow where rows of 128 bytes do not start at a
 * multiple of 128. Instead of gaps, the places of the groups of eight elements avoid bank conflicts
 * (At). */
struct Stage {
    half a[ROWS * DEPTH], b[DEPTH * COLS];
};

/* Where an element lies in a tile with `cols` columns. Eight rows below each other have their
 * groups at eight different places, so ldmatrix has no bank conflicts. */
__device__ __forceinline__ int At(int row, int col, int cols)
{
    return row * cols + (col / 8 ^ row % 8) * 8 + col % 8;
}

/* Start to copy eight neighbouring elements. If all tiles fit, cp.async does it. Else the thread
 * copies those that are inside of the matrix itself, and the others are 0. */
template <bool FITS>
__device__ __forceinline__ void Start_eight(half *to, const half *from, int inside)
{
    if (FITS)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                         (unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
    else
        for (int i = 0; i < 8; i++)
            to[i] = i < inside ? from[i] : __float2half(0.0f);
}

/* Start the copies of a tile with HIGH rows and WIDE columns, whose first element is in this row and
 * column of the matrix. A thread copies groups below each other. */
template <bool FITS, int HIGH, int WIDE>
__device__ __forceinline__ void Start_tile(half *tile, const half *matrix, int row, int col,
                                           int rows, int cols)
{
    constexpr int GROUPS = WIDE / 8, STEP = THREADS / GROUPS;
    int r = threadIdx.x / GROUPS, s = threadIdx.x % GROUPS * 8;
    half *to = &tile[At(r, s, WIDE)];
    const half *from = &matrix[(row + r) * cols + col + s];

#pragma unroll
    for (int i = 0; i < HIGH; i += STEP)
        Start_eight<FITS>(to + i * WIDE, from + (size_t)i * cols,
                          row + r + i < rows ? cols - col - s : 0);
}

/* Start all copies of a stage. They are one group. */
template <bool FITS>
__device__ __forceinline__ void Start_stage(Stage *stage, const half *a, const half *b, int m,
                                            int n, int k, int first)
{
    if (first < k) {
        Start_tile<FITS, ROWS, DEPTH>(stage->a, a, ROWS * blockIdx.y, first, m, k);
        Start_tile<FITS, DEPTH, COLS>(stage->b, b, first, COLS * blockIdx.x, k, n);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Wait until the oldest stage is complete for all threads. */
__device__ __forceinline__ void Wait_for_stage(void)
{
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
}

/* What a lane holds of 16 columns of A and of 16 rows of B: four pairs of each square of 16 x 16. */
struct Fragments {
    unsigned a[SIDE / 16][4], b[SIDE / 16][4];
};

/* Load them. Each lane passes the address of one row of eight elements. */
__device__ __forceinline__ void Load_fragments(Fragments *to, const Stage *stage, int y, int x,
                                               int depth)
{
    int r = threadIdx.x % 16, s = threadIdx.x % 32 / 16 * 8;

#pragma unroll
    for (int i = 0; i < SIDE / 16; i++) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to->a[i][0]), "=r"(to->a[i][1]), "=r"(to->a[i][2]), "=r"(to->a[i][3])
                     : "r"((unsigned)__cvta_generic_to_shared(
                         &stage->a[At(y + 16 * i + r, depth + s, DEPTH)])) : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to->b[i][0]), "=r"(to->b[i][1]), "=r"(to->b[i][2]), "=r"(to->b[i][3])
                     : "r"((unsigned)__cvta_generic_to_shared(
                         &stage->b[At(depth + r, x + 16 * i + s, COLS)])) : "memory");
    }
}

/* Add the product of 16 x 16 elements of A and 16 x 8 elements of B. */
__device__ __forceinline__ void Multiply(float sum[4], const unsigned a[4], const unsigned b[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* Store two neighbouring elements of C, as far as they are inside. */
__device__ __forceinline__ void Store_two(float *c, int row, int col, float v, float w, int m,
                                          int n)
{
    if (row < m && col + 1 < n && n % 2 == 0) {
        *(float2 *)&c[row * n + col] = make_float2(v, w);
        return;
    }
    if (row < m && col < n)
        c[row * n + col] = v;
    if (row < m && col + 1 < n)
        c[row * n + col + 1] = w;
}

/* A warp loads the fragments of the next 16 columns while it multiplies the present ones. */
template <bool FITS>
__device__ __forceinline__ void Multiply_stages(Stage *stages, const half *a, const half *b,
                                                float *c, int m, int n, int k)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int y = warp / (COLS / SIDE) * SIDE, x = warp % (COLS / SIDE) * SIDE;
    float sum[SIDE / 16][SIDE / 8][4] = {};
    Fragments now[2];

#pragma unroll
    for (int i = 0; i < STAGES - 1; i++)
        Start_stage<FITS>(&stages[i], a, b, m, n, k, i * DEPTH);
    Wait_for_stage();
    Load_fragments(&now[0], &stages[0], y, x, 0);
    for (int first = 0, stage = 0; first < k; first += DEPTH) {
        int next = stage + 1 < STAGES ? stage + 1 : 0;
        Start_stage<FITS>(&stages[stage > 0 ? stage - 1 : STAGES - 1], a, b, m, n, k,
                          first + (STAGES - 1) * DEPTH);
#pragma unroll
        for (int i = 0; i < DEPTH; i += 16) {
            Fragments *of = &now[i / 16 % 2], *to = &now[1 - i / 16 % 2];
            if (i + 16 < DEPTH) {
                Load_fragments(to, &stages[stage], y, x, i + 16);
            } else if (first + DEPTH < k) {
                Wait_for_stage();
                Load_fragments(to, &stages[next], y, x, 0);
            }
#pragma unroll
            for (int r = 0; r < SIDE / 16; r++)
#pragma unroll
                for (int s = 0; s < SIDE / 8; s++)
                    Multiply(sum[r][s], of->a[r], of->b[s / 2] + s % 2 * 2);
        }
        stage = next;
    }
#pragma unroll
    for (int r = 0; r < SIDE / 16; r++)
#pragma unroll
        for (int s = 0; s < SIDE / 8; s++) {
            int row = ROWS * blockIdx.y + y + 16 * r + lane / 4;
            int col = COLS * blockIdx.x + x + 8 * s + lane % 4 * 2;
            Store_two(c, row, col, sum[r][s][0], sum[r][s][1], m, n);
            Store_two(c, row + 8, col, sum[r][s][2], sum[r][s][3], m, n);
        }
}

//: variant mma
extern "C" __global__ void __launch_bounds__(THREADS)
matmul_mma(const half *a, const half *b, float *c, int m, int n, int k)
{
    extern __shared__ __align__(16) Stage stages[];   /* STAGES of them */

    if (m % ROWS == 0 && n % COLS == 0 && k % DEPTH == 0)
        Multiply_stages<true>(stages, a, b, c, m, n, k);
    else
        Multiply_stages<false>(stages, a, b, c, m, n, k);
}
