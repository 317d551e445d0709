// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor matrix products: wmma fragments and mma.sync with ldmatrix.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// The steps are macros, so that each belongs to the line of the kernel that uses it.
#define SADDR(p) (static_cast<uint32_t>(__cvta_generic_to_shared(p)))
#define LDSM4(r, p) asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" \
    : "=r"((r)[0]), "=r"((r)[1]), "=r"((r)[2]), "=r"((r)[3]) : "r"(SADDR(p)) : "memory")
#define LDSM2T(r, p) asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" \
    : "=r"((r)[0]), "=r"((r)[1]) : "r"(SADDR(p)) : "memory")
#define MMA16816(c, a, b) asm volatile( \
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " \
    "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
    : "+f"((c)[0]), "+f"((c)[1]), "+f"((c)[2]), "+f"((c)[3]) \
    : "r"((a)[0]), "r"((a)[1]), "r"((a)[2]), "r"((a)[3]), "r"((b)[0]), "r"((b)[1]))
#define CP16(d, s) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" \
    :: "r"(SADDR(d)), "l"(s) : "memory")
#define CP_COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define CP_WAIT(n) asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")

// C (32x32) = A (32x64) B (64x32) in half, four warps, one 16x16 tile each.
// Right: a barrier stands between filling and reading, and one before the next filling.
//@ array a1 i32 2048 iota
//@ array b1 i32 2048 iota
//@ array c1 f32 1024
//@ launch wm_half<<<1, 128>>>(a1, b1, c1)
//@none
extern "C" __global__ void wm_half(const int *a, const int *b, float *c)
{
    __shared__ alignas(32) __half as[32][24];
    __shared__ alignas(32) __half bs[16][48];
    int warp = threadIdx.x / 32, wr = warp / 2, wc = warp % 2;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    for (int k0 = 0; k0 < 64; k0 += 16) {
        for (int i = threadIdx.x; i < 512; i += 128) {
            as[i / 16][i % 16] = __int2half_rn(a[(i / 16) * 64 + k0 + i % 16] % 7);
            bs[i / 32][i % 32] = __int2half_rn(b[(k0 + i / 32) * 32 + i % 32] % 5);
        }
        __syncthreads();
        wmma::load_matrix_sync(fa, &as[wr * 16][0], 24);
        wmma::load_matrix_sync(fb, &bs[0][wc * 16], 48);
        wmma::mma_sync(fc, fa, fb, fc);
        __syncthreads();
    }
    wmma::store_matrix_sync(c + wr * 16 * 32 + wc * 16, fc, 32, wmma::mem_row_major);
}

// The same product without the barrier between filling and reading.
// Wrong: a warp loads fragments that other warps are still writing.
// Some of these reads may also be called uninitialized, but the race is the cause.
//@ array a2 i32 2048 iota
//@ array b2 i32 2048 iota
//@ array c2 f32 1024
//@ launch wm_half_nosync<<<1, 128>>>(a2, b2, c2)
//@found race-shared wm-half-nosync
extern "C" __global__ void wm_half_nosync(const int *a, const int *b, float *c)
{
    __shared__ alignas(32) __half as[32][24];
    __shared__ alignas(32) __half bs[16][48];
    int warp = threadIdx.x / 32, wr = warp / 2, wc = warp % 2;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    for (int k0 = 0; k0 < 64; k0 += 16) {
        for (int i = threadIdx.x; i < 512; i += 128) {
            int av = a[(i / 16) * 64 + k0 + i % 16] % 7;
            int bv = b[(k0 + i / 32) * 32 + i % 32] % 5;
            as[i / 16][i % 16] = __int2half_rn(av); // wm-half-nosync
            bs[i / 32][i % 32] = __int2half_rn(bv); // wm-half-nosync
        }
        wmma::load_matrix_sync(fa, &as[wr * 16][0], 24); // wm-half-nosync
        wmma::load_matrix_sync(fb, &bs[0][wc * 16], 48); // wm-half-nosync
        wmma::mma_sync(fc, fa, fb, fc);
        __syncthreads();
    }
    wmma::store_matrix_sync(c + wr * 16 * 32 + wc * 16, fc, 32, wmma::mem_row_major);
}

// The same product without the barrier at the end of the loop.
// Wrong: a fast warp fills the next tile while a slow one still loads the last.
//@ array a3 i32 2048 iota
//@ array b3 i32 2048 iota
//@ array c3 f32 1024
//@ launch wm_half_tail<<<1, 128>>>(a3, b3, c3)
//@found race-shared wm-half-tail
extern "C" __global__ void wm_half_tail(const int *a, const int *b, float *c)
{
    __shared__ alignas(32) __half as[32][24];
    __shared__ alignas(32) __half bs[16][48];
    int warp = threadIdx.x / 32, wr = warp / 2, wc = warp % 2;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    for (int k0 = 0; k0 < 64; k0 += 16) {
        for (int i = threadIdx.x; i < 512; i += 128) {
            int av = a[(i / 16) * 64 + k0 + i % 16] % 7;
            int bv = b[(k0 + i / 32) * 32 + i % 32] % 5;
            as[i / 16][i % 16] = __int2half_rn(av); // wm-half-tail
            bs[i / 32][i % 32] = __int2half_rn(bv); // wm-half-tail
        }
        __syncthreads();
        wmma::load_matrix_sync(fa, &as[wr * 16][0], 24); // wm-half-tail
        wmma::load_matrix_sync(fb, &bs[0][wc * 16], 48); // wm-half-tail
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + wr * 16 * 32 + wc * 16, fc, 32, wmma::mem_row_major);
}

// C (32x32) = A (32x64) B (64x32) in bf16, four warps, two buffers.
// Right: the buffer filled in one turn was last read in the turn before, behind a barrier.
//@ array a4 i32 2048 iota
//@ array b4 i32 2048 iota
//@ array c4 f32 1024
//@ launch wm_bf16_two<<<1, 128>>>(a4, b4, c4)
//@none
extern "C" __global__ void wm_bf16_two(const int *a, const int *b, float *c)
{
    __shared__ alignas(32) __nv_bfloat16 as[2][32][16];
    __shared__ alignas(32) __nv_bfloat16 bs[2][16][32];
    int warp = threadIdx.x / 32, wr = warp / 2, wc = warp % 2;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    auto fill = [&](int t) {
        for (int i = threadIdx.x; i < 512; i += 128) {
            int av = a[(i / 16) * 64 + t * 16 + i % 16] % 11;
            int bv = b[(t * 16 + i / 32) * 32 + i % 32] % 13;
            as[t & 1][i / 16][i % 16] = __float2bfloat16(static_cast<float>(av));
            bs[t & 1][i / 32][i % 32] = __float2bfloat16(static_cast<float>(bv));
        }
    };
    fill(0);
    __syncthreads();
    for (int t = 0; t < 4; ++t) {
        if (t + 1 < 4)
            fill(t + 1);
        wmma::load_matrix_sync(fa, &as[t & 1][wr * 16][0], 16);
        wmma::load_matrix_sync(fb, &bs[t & 1][0][wc * 16], 32);
        wmma::mma_sync(fc, fa, fb, fc);
        __syncthreads();
    }
    wmma::store_matrix_sync(c + wr * 16 * 32 + wc * 16, fc, 32, wmma::mem_row_major);
}

// The same with the barrier put between the filling and the product.
// Wrong: nothing keeps a fast warp's filling for turn t + 2 from a slow warp's reads of turn t.
//@ array a5 i32 2048 iota
//@ array b5 i32 2048 iota
//@ array c5 f32 1024
//@ launch wm_bf16_early<<<1, 128>>>(a5, b5, c5)
//@found race-shared wm-bf16-early
extern "C" __global__ void wm_bf16_early(const int *a, const int *b, float *c)
{
    __shared__ alignas(32) __nv_bfloat16 as[2][32][16];
    __shared__ alignas(32) __nv_bfloat16 bs[2][16][32];
    int warp = threadIdx.x / 32, wr = warp / 2, wc = warp % 2;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    for (int t = -1; t < 4; ++t) {
        int u = t + 1;
        for (int i = threadIdx.x; u < 4 && i < 512; i += 128) {
            float av = a[(i / 16) * 64 + u * 16 + i % 16] % 11;
            float bv = b[(u * 16 + i / 32) * 32 + i % 32] % 13;
            as[u & 1][i / 16][i % 16] = __float2bfloat16(av); // wm-bf16-early
            bs[u & 1][i / 32][i % 32] = __float2bfloat16(bv); // wm-bf16-early
        }
        __syncthreads();
        if (t < 0)
            continue;
        wmma::load_matrix_sync(fa, &as[t & 1][wr * 16][0], 16); // wm-bf16-early
        wmma::load_matrix_sync(fb, &bs[t & 1][0][wc * 16], 32); // wm-bf16-early
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + wr * 16 * 32 + wc * 16, fc, 32, wmma::mem_row_major);
}

// C (16x32) = A (16x32) B (32x32) in tf32 straight from global memory, two warps.
// Right: each warp writes its own half of C, and the small integers are exact in tf32.
// b is read column by column: element (k, n) is b[n * 32 + k].
//@ array a6 f32 512 iota
//@ array b6 f32 1024 iota
//@ array c6 f32 512
//@ launch wm_tf32<<<1, 64>>>(a6, b6, c6)
//@none
extern "C" __global__ void wm_tf32(const float *a, const float *b, float *c)
{
    using namespace nvcuda::wmma;
    int warp = threadIdx.x / 32;
    fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> fa;
    fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> fb;
    fragment<accumulator, 16, 16, 8, float> fc;
    fill_fragment(fc, 1.0f);
    for (int k0 = 0; k0 < 32; k0 += 8) {
        load_matrix_sync(fa, a + k0, 32);
        load_matrix_sync(fb, b + warp * 16 * 32 + k0, 32);
        for (int i = 0; i < fa.num_elements; ++i)
            fa.x[i] = __float_to_tf32(static_cast<float>(static_cast<int>(fa.x[i]) % 9));
        for (int i = 0; i < fb.num_elements; ++i)
            fb.x[i] = __float_to_tf32(static_cast<float>(static_cast<int>(fb.x[i]) % 10));
        mma_sync(fc, fa, fb, fc);
    }
    store_matrix_sync(c + warp * 16, fc, 32, mem_row_major);
}

// C (32x32) = A (32x32) B (32x32) in int8, four warps; shared tiles filled by 16-byte loads.
// Both tiles lie in panels of 16 columns, so that every fragment starts at 32 bytes.
// Right: one filling, one barrier, and every warp then only reads.
//@ array a7 i32 1024 iota
//@ array b7 i8 1024 value:1
//@ array c7 i32 1024
//@ launch wm_int8<<<1, 128>>>(a7, b7, c7)
//@none
extern "C" __global__ void wm_int8(const int *a, const signed char *b, int *c)
{
    __shared__ alignas(32) signed char as[32 * 32];
    __shared__ alignas(32) signed char bs[32 * 32];
    int t = threadIdx.x, warp = t / 32, wr = warp / 2, wc = warp % 2;
    if (t < 64) {
        reinterpret_cast<int4 *>(bs)[t % 2 * 32 + t / 2] = reinterpret_cast<const int4 *>(b)[t];
    } else {
        for (int i = (t - 64) * 16; i < (t - 63) * 16; ++i)
            as[i % 32 / 16 * 512 + i / 32 * 16 + i % 16] = static_cast<signed char>(a[i] % 7 - 3);
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
    wmma::fill_fragment(fc, 0);
    for (int k0 = 0; k0 < 32; k0 += 16) {
        wmma::load_matrix_sync(fa, as + k0 / 16 * 512 + wr * 16 * 16, 16);
        wmma::load_matrix_sync(fb, bs + wc * 512 + k0 * 16, 16);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    for (int i = 0; i < fc.num_elements; ++i)
        fc.x[i] = 2 * fc.x[i] + 1;
    wmma::store_matrix_sync(c + wr * 16 * 32 + wc * 16, fc, 32, wmma::mem_row_major);
}

// C (16x16) = A (16x16) B (16x16) in double, four warps with one 8x8 tile each.
// The tiles go through shared memory and come out transposed.
// Right: a barrier orders the stores of all warps before the reads across warps.
//@ array a8 f64 256 iota
//@ array b8 f64 256 iota
//@ array c8 f64 256
//@ launch wm_double_t<<<1, 128>>>(a8, b8, c8)
//@none
extern "C" __global__ void wm_double_t(const double *a, const double *b, double *c)
{
    __shared__ alignas(32) double cs[16 * 16];
    int warp = threadIdx.x / 32, wr = warp / 2, wc = warp % 2;
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
    wmma::fill_fragment(fc, 0.5);
    for (int k0 = 0; k0 < 16; k0 += 4) {
        wmma::load_matrix_sync(fa, a + wr * 8 * 16 + k0, 16);
        wmma::load_matrix_sync(fb, b + k0 * 16 + wc * 8, 16);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(cs + wr * 8 * 16 + wc * 8, fc, 16, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 128)
        c[i] = cs[(i % 16) * 16 + i / 16];
}

// The same with __syncwarp where the barrier of the block is needed.
// Wrong: the transposed reads take tiles that other warps may still be storing.
//@ array a9 f64 256 iota
//@ array b9 f64 256 iota
//@ array c9 f64 256
//@ launch wm_double_warp<<<1, 128>>>(a9, b9, c9)
//@found race-shared wm-double-warp
extern "C" __global__ void wm_double_warp(const double *a, const double *b, double *c)
{
    __shared__ alignas(32) double cs[16 * 16];
    int warp = threadIdx.x / 32, wr = warp / 2, wc = warp % 2;
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
    wmma::fill_fragment(fc, 0.5);
    for (int k0 = 0; k0 < 16; k0 += 4) {
        wmma::load_matrix_sync(fa, a + wr * 8 * 16 + k0, 16);
        wmma::load_matrix_sync(fb, b + k0 * 16 + wc * 8, 16);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    double *tile = cs + wr * 8 * 16 + wc * 8;
    wmma::store_matrix_sync(tile, fc, 16, wmma::mem_row_major); // wm-double-warp
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 128)
        c[i] = cs[(i % 16) * 16 + i / 16]; // wm-double-warp
}

// C (16x16) = A (16x32) B (32x16) by mma.sync and ldmatrix, two warps of eight columns each.
// Right: the rows of both shared tiles are multiples of 16 bytes and a barrier follows the filling.
//@ array a10 i32 512 iota
//@ array b10 i32 512 iota
//@ array c10 f32 256
//@ launch mma_ldm<<<1, 64>>>(a10, b10, c10)
//@none
extern "C" __global__ void mma_ldm(const int *a, const int *b, float *c)
{
    __shared__ alignas(16) __half as[16][40];
    __shared__ alignas(16) __half bs[32][24];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < 512; i += 64) {
        as[i / 32][i % 32] = __int2half_rn(a[i] % 17);
        bs[i / 16][i % 16] = __int2half_rn(b[i] % 19 - 9);
    }
    __syncthreads();
    float acc[4] = {0, 0, 0, 0};
    for (int k0 = 0; k0 < 32; k0 += 16) {
        uint32_t ra[4], rb[2];
        LDSM4(ra, &as[lane % 16][k0 + lane / 16 * 8]);
        LDSM2T(rb, &bs[k0 + lane % 16][warp * 8]);
        MMA16816(acc, ra, rb);
    }
    int row = lane / 4, col = warp * 8 + lane % 4 * 2;
    c[row * 16 + col] = acc[0];
    c[row * 16 + col + 1] = acc[1];
    c[(row + 8) * 16 + col] = acc[2];
    c[(row + 8) * 16 + col + 1] = acc[3];
}

// The same with rows of 36 halves, 72 bytes, in the tile of A.
// Wrong: ldmatrix needs row addresses at multiples of 16 bytes.
//@ array a11 i32 512 iota
//@ array b11 i32 512 iota
//@ array c11 f32 256
//@ launch mma_ldm_pad<<<1, 64>>>(a11, b11, c11)
//@found misaligned mma-ldm-pad
extern "C" __global__ void mma_ldm_pad(const int *a, const int *b, float *c)
{
    __shared__ alignas(16) __half as[16][36];
    __shared__ alignas(16) __half bs[32][24];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < 512; i += 64) {
        as[i / 32][i % 32] = __int2half_rn(a[i] % 17);
        bs[i / 16][i % 16] = __int2half_rn(b[i] % 19 - 9);
    }
    __syncthreads();
    float acc[4] = {0, 0, 0, 0};
    for (int k0 = 0; k0 < 32; k0 += 16) {
        uint32_t ra[4], rb[2];
        LDSM4(ra, &as[lane % 16][k0 + lane / 16 * 8]); // mma-ldm-pad
        LDSM2T(rb, &bs[k0 + lane % 16][warp * 8]);
        MMA16816(acc, ra, rb);
    }
    int row = lane / 4, col = warp * 8 + lane % 4 * 2;
    c[row * 16 + col] = acc[0];
    c[row * 16 + col + 1] = acc[1];
    c[(row + 8) * 16 + col] = acc[2];
    c[(row + 8) * 16 + col + 1] = acc[3];
}

// C (32x8) = sum over four turns of A (32x32) B (32x8), cp.async into two buffers, two warps.
// Turn t takes columns 16 (t & 1) of A and the same rows of B.
// Right: each turn waits for its own copies, then a barrier, and a barrier before reuse.
// All sums stay below 2^24, so float holds them exactly.
//@ array a12 f16 1024 iota
//@ array b12 f16 256 iota
//@ array c12 f32 256
//@ launch mma_cp_two<<<1, 64>>>(a12, b12, c12)
//@none
extern "C" __global__ void mma_cp_two(const __half *a, const __half *b, float *c)
{
    __shared__ alignas(16) __half as[2][32][24];
    __shared__ alignas(16) __half bs[2][16][8];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    float acc[4] = {0, 0, 0, 0};
    CP16(&as[0][t / 2][t % 2 * 8], a + t / 2 * 32 + t % 2 * 8);
    if (t < 16)
        CP16(&bs[0][t][0], b + t * 8);
    CP_COMMIT();
    for (int n = 0; n < 4; ++n) {
        if (n + 1 < 4) {
            int s = (n + 1) & 1;
            CP16(&as[s][t / 2][t % 2 * 8], a + t / 2 * 32 + s * 16 + t % 2 * 8);
            if (t < 16)
                CP16(&bs[s][t][0], b + (s * 16 + t) * 8);
            CP_COMMIT();
            CP_WAIT(1);
        } else {
            CP_WAIT(0);
        }
        __syncthreads();
        uint32_t ra[4], rb[2];
        LDSM4(ra, &as[n & 1][warp * 16 + lane % 16][lane / 16 * 8]);
        LDSM2T(rb, &bs[n & 1][lane % 16][0]);
        MMA16816(acc, ra, rb);
        __syncthreads();
    }
    int row = warp * 16 + lane / 4, col = lane % 4 * 2;
    c[row * 8 + col] = acc[0];
    c[row * 8 + col + 1] = acc[1];
    c[(row + 8) * 8 + col] = acc[2];
    c[(row + 8) * 8 + col + 1] = acc[3];
}

// The same, but the last turn also leaves one group of copies unwaited.
// Wrong: the fragments of the last turn are loaded while their copies may be under way.
//@ array a13 f16 1024 iota
//@ array b13 f16 256 iota
//@ array c13 f32 256
//@ launch mma_cp_wait1<<<1, 64>>>(a13, b13, c13)
//@found race-shared mma-cp-wait1
extern "C" __global__ void mma_cp_wait1(const __half *a, const __half *b, float *c)
{
    __shared__ alignas(16) __half as[2][32][24];
    __shared__ alignas(16) __half bs[2][16][8];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    float acc[4] = {0, 0, 0, 0};
    CP16(&as[0][t / 2][t % 2 * 8], a + t / 2 * 32 + t % 2 * 8);
    if (t < 16)
        CP16(&bs[0][t][0], b + t * 8);
    CP_COMMIT();
    for (int n = 0; n < 4; ++n) {
        if (n + 1 < 4) {
            int s = (n + 1) & 1;
            CP16(&as[s][t / 2][t % 2 * 8], a + t / 2 * 32 + s * 16 + t % 2 * 8); // mma-cp-wait1
            if (t < 16)
                CP16(&bs[s][t][0], b + (s * 16 + t) * 8); // mma-cp-wait1
            CP_COMMIT();
        }
        CP_WAIT(1);
        __syncthreads();
        uint32_t ra[4], rb[2];
        LDSM4(ra, &as[n & 1][warp * 16 + lane % 16][lane / 16 * 8]); // mma-cp-wait1
        LDSM2T(rb, &bs[n & 1][lane % 16][0]); // mma-cp-wait1
        MMA16816(acc, ra, rb);
        __syncthreads();
    }
    int row = warp * 16 + lane / 4, col = lane % 4 * 2;
    c[row * 8 + col] = acc[0];
    c[row * 8 + col + 1] = acc[1];
    c[(row + 8) * 8 + col] = acc[2];
    c[(row + 8) * 8 + col + 1] = acc[3];
}

// C (16x8) = A (16x32) B (32x8) in int8 by one mma.sync m16n8k32, one warp.
// Element (k, n) of B is bs[n * 32 + k].
// Right: __syncwarp orders the byte stores before the word loads of other lanes.
//@ array a14 i32 512 iota
//@ array b14 i32 256 iota
//@ array c14 i32 128
//@ launch mma_s8<<<1, 32>>>(a14, b14, c14)
//@none
extern "C" __global__ void mma_s8(const int *a, const int *b, int *c)
{
    __shared__ alignas(16) signed char as[16 * 32];
    __shared__ alignas(16) signed char bs[8 * 32];
    int lane = threadIdx.x, g = lane / 4, q = lane % 4;
    for (int i = lane; i < 512; i += 32)
        as[i] = static_cast<signed char>(a[i] % 23 - 11);
    for (int i = lane; i < 256; i += 32)
        bs[i] = static_cast<signed char>(b[i] % 29 - 14);
    __syncwarp();
    const int *aw = reinterpret_cast<const int *>(as), *bw = reinterpret_cast<const int *>(bs);
    int a0 = aw[g * 8 + q], a1 = aw[(g + 8) * 8 + q];
    int a2 = aw[g * 8 + q + 4], a3 = aw[(g + 8) * 8 + q + 4];
    int b0 = bw[g * 8 + q], b1 = bw[g * 8 + q + 4];
    int d[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    c[g * 8 + q * 2] = d[0];
    c[g * 8 + q * 2 + 1] = d[1];
    c[(g + 8) * 8 + q * 2] = d[2];
    c[(g + 8) * 8 + q * 2 + 1] = d[3];
}

// The same as mma_s8 with no order between the byte stores and the word loads.
// Wrong: a lane's words were stored by other lanes, and nothing orders the lanes of a warp.
// It may also be called uninitialized, but the race is the cause.
//@ array a15 i32 512 iota
//@ array b15 i32 256 iota
//@ array c15 i32 128
//@ launch mma_s8_nosync<<<1, 32>>>(a15, b15, c15)
//@found race-shared mma-s8-nosync
extern "C" __global__ void mma_s8_nosync(const int *a, const int *b, int *c)
{
    __shared__ alignas(16) signed char as[16 * 32];
    __shared__ alignas(16) signed char bs[8 * 32];
    int lane = threadIdx.x, g = lane / 4, q = lane % 4;
    for (int i = lane; i < 512; i += 32)
        as[i] = static_cast<signed char>(a[i] % 23 - 11); // mma-s8-nosync
    for (int i = lane; i < 256; i += 32)
        bs[i] = static_cast<signed char>(b[i] % 29 - 14); // mma-s8-nosync
    const int *aw = reinterpret_cast<const int *>(as), *bw = reinterpret_cast<const int *>(bs);
    int a0 = aw[g * 8 + q], a1 = aw[(g + 8) * 8 + q]; // mma-s8-nosync
    int a2 = aw[g * 8 + q + 4], a3 = aw[(g + 8) * 8 + q + 4]; // mma-s8-nosync
    int b0 = bw[g * 8 + q], b1 = bw[g * 8 + q + 4]; // mma-s8-nosync
    int d[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    c[g * 8 + q * 2] = d[0];
    c[g * 8 + q * 2 + 1] = d[1];
    c[(g + 8) * 8 + q * 2] = d[2];
    c[(g + 8) * 8 + q * 2 + 1] = d[3];
}
