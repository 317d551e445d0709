// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array a i32 1024 random:-7:7
//! array b i32 1024 random:-7:7
//! array halves f32 1024
//! array short_sums f32 1024
//! array bytes i32 1024
//! launch by_halves<<<1,(32,4)>>>(a, b, halves)
//! launch by_short_sums<<<1,(32,4)>>>(a, b, short_sums)
//! launch by_bytes<<<1,(32,4)>>>(a, b, bytes)
//! expect halves
//! expect short_sums
//! expect bytes
// Matrices of 32 x 32 small whole numbers, so every sum is exact. Each of four warps computes one
// tile of the product.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

const int N = 32;

template <typename T>
__device__ void convert(const int *from, T *to)
{
    int t = threadIdx.y * 32 + threadIdx.x;
    for (int i = t; i < N * N; i += 128)
        to[i] = T(float(from[i]));
}

template <typename Element, typename Sum>
__device__ void multiply(const int *a, const int *b, Sum *c)
{
    __shared__ __align__(32) Element sa[N * N], sb[N * N];
    convert(a, sa);
    convert(b, sb);
    __syncthreads();
    int row = threadIdx.y / 2 * 16, column = threadIdx.y % 2 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, Element, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, Element, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> fc;
    wmma::fill_fragment(fc, Sum(0));
    for (int k = 0; k < N; k += 16) {
        wmma::load_matrix_sync(fa, sa + row * N + k, N);
        wmma::load_matrix_sync(fb, sb + k * N + column, N);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + row * N + column, fc, N, wmma::mem_row_major);
}

__global__ void by_halves(const int *a, const int *b, float *c)
{
    multiply<half, float>(a, b, c);
}

__global__ void by_short_sums(const int *a, const int *b, float *c)
{
    __shared__ __align__(32) half sum[N * N];
    multiply<half, half>(a, b, sum);
    __syncthreads();
    for (int i = threadIdx.y * 32 + threadIdx.x; i < N * N; i += 128)
        c[i] = __half2float(sum[i]);
}

__global__ void by_bytes(const int *a, const int *b, int *c)
{
    multiply<signed char, int>(a, b, c);
}
