// SPDX-License-Identifier: GPL-3.0-or-later
// A warp loads and stores tiles of half precision numbers and of floats. They are in global memory
// and in shared memory, by rows and by columns.
// launch 2 64
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void matrix_load(const int *in, int *out, int n)
{
    __shared__ __align__(32) half s[2][16 * 24];
    __shared__ __align__(32) float f[2][16 * 16];
    const int warp = threadIdx.x / 32;
    for (int i = threadIdx.x % 32; i < 16 * 24; i += 32)
        s[warp][i] = __int2half_rn(in[i] & 15);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> at;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> bt;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c, d;
    wmma::load_matrix_sync(a, s[warp], 24);
    wmma::load_matrix_sync(at, s[warp], 24);
    wmma::load_matrix_sync(b, s[warp], 24);
    wmma::load_matrix_sync(bt, s[warp], 24);
    wmma::fill_fragment(c, 0.0f);
    wmma::mma_sync(d, a, b, c);
    wmma::mma_sync(d, a, bt, d);
    wmma::mma_sync(d, at, b, d);
    wmma::store_matrix_sync(f[warp], d, 16, wmma::mem_col_major);
    __syncthreads();
    wmma::load_matrix_sync(c, f[warp], 16, wmma::mem_row_major);
    wmma::mma_sync(d, at, bt, c);
    float *to = (float *)out + (blockIdx.x * 2 + warp) * 512;
    wmma::store_matrix_sync(to, d, 16, wmma::mem_row_major);
    wmma::store_matrix_sync(to + 256, c, 16, wmma::mem_col_major);
}
