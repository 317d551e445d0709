/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tensor cores */
#include <mma.h>
using namespace nvcuda;
__global__ void product(const half *a, const half *b, float *c, float scale)
{
    __shared__ half tile[16 * 16];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = threadIdx.x; i < 256; i += 32)
        tile[i] = b[i];
    __syncwarp();
    wmma::load_matrix_sync(x, a, 16);
    wmma::load_matrix_sync(y, tile, 16);
    wmma::mma_sync(sum, x, y, sum);
#pragma unroll
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] *= scale;
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
template <typename T, int N> __global__ void other(T *out)
{
    wmma::fragment<wmma::accumulator, N, 256 / N, 16, T> c;
    wmma::fill_fragment(c, T(1));
    wmma::store_matrix_sync(out, c, 256 / N, wmma::mem_row_major);
}
int main()
{
    other<half, 32><<<1, 32>>>(nullptr);
    product<<<1, 32>>>(nullptr, nullptr, nullptr, 2.0f);
}
