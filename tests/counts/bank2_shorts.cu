// SPDX-License-Identifier: GPL-3.0-or-later
// Two bytes a lane: strides, pairs in one word, and stores.
// launch 1 64
extern "C" __global__ void bank2_shorts(const int *in, int *out, int n)
{
    __shared__ short s[64 * 34];
    int t = threadIdx.x, sum = 0;
    for (int k = t; k < 64 * 34; k += 64)
        s[k] = in[k];
    __syncthreads();
#pragma unroll 1
    for (int stride = 1; stride <= 34; stride += 3)
        sum = sum * 11 + s[t * stride];
    __syncthreads();
    s[t * 33] = sum;
    __syncthreads();
    s[t * 2] = 5;
    __syncthreads();
    out[t] = s[t * 33];
}
