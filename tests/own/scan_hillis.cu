// SPDX-License-Identifier: GPL-3.0-or-later
//! array in i32 256 random:0:9
//! array incl i32 256
//! array excl i32 256
//! launch hillis<<<1,256>>>(in, incl)
//! launch hillisExclusive<<<1,256,2048>>>(in, excl, 256)
//! expect incl
//! expect excl
#include <cuda_runtime.h>

__global__ void hillis(const int *in, int *out)
{
    __shared__ int temp[256];
    int t = threadIdx.x;
    temp[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 256; d <<= 1) {
        int add = 0;
        if (t >= d)
            add = temp[t - d];
        __syncthreads();
        temp[t] += add;
        __syncthreads();
    }
    out[t] = temp[t];
}

// two halves of one array in turn
__global__ void hillisExclusive(const int *in, int *out, int n)
{
    extern __shared__ int temp[];
    int t = threadIdx.x;
    int pout = 0, pin = 1;
    temp[pout * n + t] = (t > 0) ? in[t - 1] : 0;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (t >= offset)
            temp[pout * n + t] = temp[pin * n + t] + temp[pin * n + t - offset];
        else
            temp[pout * n + t] = temp[pin * n + t];
        __syncthreads();
    }
    out[t] = temp[pout * n + t];
}
