// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of tests/tensor.t whose types need compute capability 8.0. The numbers are small and whole,
// so that all sums are exact.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda;

__device__ int number(int i) { return i * 7 % 15 - 7; }

template <int K, typename Element, typename Memory> __device__ void square(float *c)
{
    __shared__ __align__(32) Memory tile[256];
    for (int i = threadIdx.x; i < 256; i += 32)
        tile[i] = Memory(float(number(i)));
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, K, Element, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, K, Element, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, K, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < 16; k += K) {
        wmma::load_matrix_sync(x, tile + k, 16);
        wmma::load_matrix_sync(y, tile + k, 16);
        wmma::mma_sync(sum, x, y, sum);
    }
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_col_major);
}

__global__ void by_bfloat16(float *c) { square<16, __nv_bfloat16, __nv_bfloat16>(c); }
__global__ void by_tf32(float *c) { square<8, wmma::precision::tf32, float>(c); }

// Doubles have tiles of 8 x 8 x 4. This computes the upper left quarter.
__global__ void by_double(double *c)
{
    __shared__ __align__(32) double tile[8 * 16];
    for (int i = threadIdx.x; i < 8 * 16; i += 32)
        tile[i] = number(i);
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
    wmma::fill_fragment(sum, 0.0);
    for (int k = 0; k < 16; k += 4) {
        wmma::load_matrix_sync(x, tile + k, 16);
        wmma::load_matrix_sync(y, tile + k, 16);
        wmma::mma_sync(sum, x, y, sum);
    }
    wmma::store_matrix_sync(c, sum, 8, wmma::mem_row_major);
}

// How many elements differ from the results of plain arithmetic.
template <typename T> __device__ void compare(const T *c, int size, int *wrong)
{
    int row = threadIdx.x / size, column = threadIdx.x % size, sum = 0;
    for (int k = 0; k < 16; k++)
        sum += number(row * 16 + k) * number(column * 16 + k);
    if (c[column * size + row] != T(sum))
        atomicAdd(wrong, 1);
}
__global__ void compare_floats(const float *c, int *wrong) { compare(c, 16, wrong); }
__global__ void compare_doubles(const double *c, int *wrong) { compare(c, 8, wrong); }
