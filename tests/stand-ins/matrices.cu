/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tensor cores: every shape, type and layout; a warp of its own for each. */
//! load 75
//! load 80
//! 49152 u32 halves<<<12, 32>>>(out)
//! 49152 u32 halves_to_floats<<<12, 32>>>(out)
//! 49152 u32 floats_from_halves<<<12, 32>>>(out)
//! 49152 u32 halves_from_floats<<<12, 32>>>(out)
//! 49152 u32 bytes<<<12, 32>>>(out)
//! 49152 u32 unsigned_bytes<<<12, 32>>>(out)
//! 4096 u32 small<<<1, 32>>>(out)
//! 49152 u32 bfloats<<<12, 32>>>(out)
//! 32768 u32 wide<<<8, 32>>>(out)
#include <mma.h>
using namespace nvcuda;

enum { SPACE = 1024 }; /* 32 rows of 32 elements, where a layout leaves gaps */

__device__ unsigned hash(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* Numbers with a fraction, small enough that sums stay finite; now and then a large one. */
template <class T> __device__ T number(unsigned i)
{
    const unsigned r = hash(i);
    return T(((int)(r & 0xfff) - 0x800) * (r >> 12 & 31 ? 0.0078125f : 1.5f));
}
template <> __device__ int number(unsigned i) { return (int)hash(i) >> (i % 32); }
template <> __device__ signed char number(unsigned i) { return (signed char)hash(i); }
template <> __device__ unsigned char number(unsigned i) { return (unsigned char)hash(i); }
template <> __device__ double number(unsigned i) { return (int)hash(i) * 1e-3; }

/* What all elements of all lanes are, in the order of the lanes. Loops that are not about matrices
 * are not unrolled: else nvcc takes more than twice as long. */
template <class Fragment> __device__ unsigned *keep(unsigned *out, const Fragment &f)
{
    const unsigned char *bytes = (const unsigned char *)f.x;
    unsigned sum = f.num_elements * 1000u + f.num_storage_elements;
#pragma unroll 1
    for (unsigned i = 0; i < sizeof f.x; i++)
        sum = sum * 31 + bytes[i];
    out[threadIdx.x] = sum;
    return out + 32;
}

template <class A, class D, class C, int m, int n, int k, class RowA, class RowB, class P>
__device__ void product(unsigned *out, unsigned seed, P *tile, C *sums, D *results)
{
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < SPACE; i += 32) {
        tile[i] = number<P>(seed + i);
        tile[SPACE + i] = number<P>(seed + SPACE + i);
        sums[i] = number<C>(seed + 5000 + i);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, m, n, k, A, RowA> a;
    wmma::fragment<wmma::matrix_b, m, n, k, A, RowB> b;
    wmma::fragment<wmma::accumulator, m, n, k, C> c;
    wmma::fragment<wmma::accumulator, m, n, k, D> d;
    wmma::load_matrix_sync(a, tile, 16 + 16 * (m == 32));
    wmma::load_matrix_sync(b, tile + SPACE, 16 + 16 * (n == 32));
    const wmma::layout_t layout = seed & 1 ? wmma::mem_row_major : wmma::mem_col_major;
    wmma::load_matrix_sync(c, sums, m > n ? m : n, layout);
    out = keep(keep(keep(out, a), b), c);
    wmma::mma_sync(d, a, b, c);
    for (int i = 0; i < d.num_elements; i++)
        d.x[i] = d.x[i] + d.x[i];
    out = keep(out, d);
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < SPACE; i += 32)
        results[i] = D(0);
    __syncwarp();
    wmma::store_matrix_sync(results, d, m > n ? m : n, layout);
    __syncwarp();
    const unsigned char *bytes = (const unsigned char *)results;
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < SPACE * sizeof(D) / 4; i += 32)
        out[i] = bytes[4 * i] | bytes[4 * i + 1] << 8 | bytes[4 * i + 2] << 16 |
                 bytes[4 * i + 3] << 24;
}

/* Each warp has 4096 words. */
#define OUT (out + blockIdx.x * 4096)
#define TILES(P, C, D)                                                                         \
    __shared__ P tile[2 * SPACE];                                                              \
    __shared__ C sums[SPACE];                                                                  \
    __shared__ D results[SPACE]
#define LAYOUTS(A, D, C, m, n, k, row)                                                         \
    switch (row) {                                                                             \
    case 0: product<A, D, C, m, n, k, wmma::row_major, wmma::row_major>                        \
        (OUT, blockIdx.x, tile, sums, results); break;                                         \
    case 1: product<A, D, C, m, n, k, wmma::row_major, wmma::col_major>                        \
        (OUT, blockIdx.x, tile, sums, results); break;                                         \
    case 2: product<A, D, C, m, n, k, wmma::col_major, wmma::row_major>                        \
        (OUT, blockIdx.x, tile, sums, results); break;                                         \
    case 3: product<A, D, C, m, n, k, wmma::col_major, wmma::col_major>                        \
        (OUT, blockIdx.x, tile, sums, results); break;                                         \
    }
#define SHAPES(A, D, C)                                                                        \
    if (blockIdx.x < 4)                                                                        \
        LAYOUTS(A, D, C, 16, 16, 16, blockIdx.x & 3)                                           \
    else if (blockIdx.x < 8)                                                                   \
        LAYOUTS(A, D, C, 32, 8, 16, blockIdx.x & 3)                                            \
    else                                                                                       \
        LAYOUTS(A, D, C, 8, 32, 16, blockIdx.x & 3)

/* 12 blocks each: three shapes by four layouts. */
__global__ void halves(unsigned *out)
{ TILES(half, half, half); SHAPES(half, half, half) }
__global__ void halves_to_floats(unsigned *out)
{ TILES(half, float, float); SHAPES(half, float, float) }
__global__ void floats_from_halves(unsigned *out)
{ TILES(half, half, float); SHAPES(half, float, half) }
__global__ void halves_from_floats(unsigned *out)
{ TILES(half, float, half); SHAPES(half, half, float) }
__global__ void bytes(unsigned *out)
{ TILES(signed char, int, int); SHAPES(signed char, int, int) }
__global__ void unsigned_bytes(unsigned *out)
{ TILES(unsigned char, int, int); SHAPES(unsigned char, int, int) }

/* Saturation; 4 and 1 bits: from words in memory, and from filled fragments. */
__global__ void small(unsigned *out)
{
    using namespace wmma::experimental;
    __shared__ unsigned tile[64], results[64];
    __shared__ int sums[256];
    tile[threadIdx.x] = hash(threadIdx.x);
    tile[32 + threadIdx.x] = hash(threadIdx.x + 32);
    for (unsigned i = threadIdx.x; i < 256; i += 32)
        sums[i] = i % 3 ? 0x7ffffff0 : number<int>(i);
    __syncwarp();
    {
        wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::s4, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::s4, wmma::col_major> b;
        wmma::fragment<wmma::accumulator, 8, 8, 32, int> c, d;
        wmma::load_matrix_sync(a, tile, 32);
        wmma::load_matrix_sync(b, tile + 32, 32);
        wmma::load_matrix_sync(c, sums, 8, wmma::mem_row_major);
        wmma::mma_sync(d, a, b, c);
        out = keep(keep(keep(keep(out, a), b), c), d);
        wmma::mma_sync(d, a, b, c, true);
        out = keep(out, d);
        wmma::fill_fragment(a, -3);
        wmma::mma_sync(c, a, b, c);
        wmma::store_matrix_sync((int *)results, c, 8, wmma::mem_col_major);
        __syncwarp();
        out[threadIdx.x] = results[threadIdx.x] + 7 * results[threadIdx.x + 32];
        out += 32;
    }
    {
        wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::u4, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::u4, wmma::col_major> b;
        wmma::fragment<wmma::accumulator, 8, 8, 32, int> c;
        wmma::load_matrix_sync(a, tile, 32);
        wmma::fill_fragment(b, 29);
        wmma::fill_fragment(c, 5);
        wmma::mma_sync(c, a, b, c);
        out = keep(out, c);
        wmma::load_matrix_sync(b, tile + 32, 32);
        wmma::mma_sync(c, a, b, c, true);
        out = keep(out, c);
    }
    {
        wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> b;
        wmma::fragment<wmma::accumulator, 8, 8, 128, int> c, d;
        wmma::load_matrix_sync(a, tile, 128);
        wmma::load_matrix_sync(b, tile + 32, 128);
        wmma::load_matrix_sync(c, sums, 8, wmma::mem_col_major);
        wmma::bmma_sync(d, a, b, c);
        out = keep(out, d);
        wmma::fill_fragment(a, 1);
#if __CUDA_ARCH__ >= 800
        wmma::bmma_sync(d, a, b, c, bmmaBitOpAND);
#else
        wmma::bmma_sync(d, a, b, c, bmmaBitOpXOR, bmmaAccumulateOpPOPC);
#endif
        out = keep(out, d);
    }
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
    wmma::fill_fragment(a, 100);
    wmma::fill_fragment(b, 100);
    wmma::load_matrix_sync(c, sums, 16, wmma::mem_row_major);
    wmma::mma_sync(c, a, b, c, true);
    keep(out, c);
}

/* These need sm_80. */
__global__ void bfloats(unsigned *out)
{
#if __CUDA_ARCH__ >= 800
    TILES(__nv_bfloat16, float, float);
    SHAPES(__nv_bfloat16, float, float)
#endif
}
/* 8 blocks: the layouts of tf32, then of double. */
__global__ void wide(unsigned *out)
{
#if __CUDA_ARCH__ >= 800
    if (blockIdx.x < 4) {
        TILES(float, float, float);
        LAYOUTS(wmma::precision::tf32, float, float, 16, 16, 8, blockIdx.x & 3)
        wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
        wmma::load_matrix_sync(a, tile, 8);
        for (int i = 0; i < a.num_elements; i++)
            a.x[i] = wmma::__float_to_tf32(a.x[i] * 1.001f);
        keep(OUT + 3968, a);
    } else {
        TILES(double, double, double);
        LAYOUTS(double, double, double, 8, 8, 4, blockIdx.x & 3)
    }
#endif
}
int main() { return 0; }
