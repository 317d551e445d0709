// SPDX-License-Identifier: GPL-3.0-or-later
//! array in i32 32 random:0:999
//! array out i32 416
//! array d f64 32 random:0:1
//! array e f64 96
//! array data i32 300 random:-9:9
//! array incl i32 300
//! launch forms<<<1,32>>>(in, out)
//! launch wide<<<1,32>>>(d, e)
//! launch warpScan<<<1,320>>>(data, incl, 300)
//! expect out
//! expect e
//! expect incl
// Each form of the shuffle with full and partial widths.
#include <cuda_runtime.h>
#define M 0xffffffff

__global__ void forms(int *in, int *out)
{
    int t = threadIdx.x, v = in[t], n = 0;
    out[32 * n++ + t] = __shfl_up_sync(M, v, 1);
    out[32 * n++ + t] = __shfl_up_sync(M, v, 3, 8);
    out[32 * n++ + t] = __shfl_down_sync(M, v, 5);
    out[32 * n++ + t] = __shfl_down_sync(M, v, 2, 4);
    out[32 * n++ + t] = __shfl_xor_sync(M, v, 21);
    out[32 * n++ + t] = __shfl_xor_sync(M, v, 3, 16);
    out[32 * n++ + t] = __shfl_xor_sync(M, v, 12, 8);       // leaves its group of 8
    out[32 * n++ + t] = __shfl_sync(M, v, 7);
    out[32 * n++ + t] = __shfl_sync(M, v, t * 5 + 3);       // modulo 32
    out[32 * n++ + t] = __shfl_sync(M, v, 1, 4);
    out[32 * n++ + t] = __shfl_sync(M, v, 31 - t);
    out[32 * n++ + t] = (int)(__shfl_down_sync(M, (unsigned)v << 20, 16) >> 20);
    if (t < 8)
        out[32 * n + t] = __shfl_xor_sync(0xff, v, 1);
    else
        out[32 * n + t] = -__shfl_down_sync(0xffffff00, v, 1, 8);
}

__global__ void wide(const double *d, double *e)
{
    int t = threadIdx.x;
    e[t] = __shfl_down_sync(M, d[t], 1);
    e[32 + t] = __shfl_xor_sync(M, d[t], 16);
    long long bits = __shfl_sync(M, __double_as_longlong(d[t]), t ^ 1);
    e[64 + t] = __longlong_as_double(bits);
}

__device__ int inclusive(int v)
{
    int lane = threadIdx.x & 31;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        int y = __shfl_up_sync(M, v, d);
        if (lane >= d)
            v += y;
    }
    return v;
}

__global__ void warpScan(const int *data, int *incl, int n)
{
    __shared__ int sums[32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int v = inclusive(t < n ? data[t] : 0);
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int s = lane < blockDim.x / 32 ? sums[lane] : 0;
        s = inclusive(s);
        sums[lane] = s;
    }
    __syncthreads();
    if (warp > 0)
        v += sums[warp - 1];
    if (t < n)
        incl[t] = v;
}
