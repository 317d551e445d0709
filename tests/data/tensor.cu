// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of tests/tensor.t. They use tensor cores with the toolkit's mma.h. `make bench` also
// multiplies matrices with them.
#include <mma.h>

using namespace nvcuda;

typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> Left;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> Right;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> Sum;

// c = a * b with matrices of n x n. Each warp computes a tile of c.
__global__ void matmul(const half *a, const half *b, float *c, int n)
{
    int row = blockIdx.y * 16, column = blockIdx.x * 16;
    Left x;
    Right y;
    Sum sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(x, a + row * n + k, n);
        wmma::load_matrix_sync(y, b + k * n + column, n);
        wmma::mma_sync(sum, x, y, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

// The same without tensor cores. Each thread computes one element.
__global__ void plain(const half *a, const half *b, float *c, int n)
{
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += __half2float(a[row * n + k]) * __half2float(b[k * n + column]);
    c[row * n + column] = sum;
}

__global__ void small_numbers(half *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = __int2half_rn(i * 7 % 15 - 7);
}

// Two warps write a tile in shared memory. Then each of them multiplies the tile by itself.
template <bool WAITS> __device__ void square(const half *a, float *c)
{
    __shared__ __align__(32) half tile[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        tile[i] = a[i];
    if (WAITS)
        __syncthreads();
    Left x;
    Right y;
    Sum sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(x, tile, 16);
    wmma::load_matrix_sync(y, tile, 16);
    wmma::mma_sync(sum, x, y, sum);
    wmma::store_matrix_sync(c + threadIdx.x / 32 * 256, sum, 16, wmma::mem_row_major);
}
__global__ void shared_tile(const half *a, float *c) { square<true>(a, c); }
__global__ void no_barrier(const half *a, float *c) { square<false>(a, c); }

__global__ void half_a_warp(const half *a, float *c)
{
    Left x;
    if (threadIdx.x < 16)
        wmma::load_matrix_sync(x, a, 16);
    c[threadIdx.x] = __half2float(x.x[0]);
}

__global__ void off_by_one(const half *a, float *c)
{
    Left x;
    wmma::load_matrix_sync(x, a + 1, 16);
    c[threadIdx.x] = __half2float(x.x[0]);
}
