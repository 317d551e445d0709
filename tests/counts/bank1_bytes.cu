// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes: four of them share a word, and at a stride of five nearly none.
// launch 1 64
extern "C" __global__ void bank1_bytes(const int *in, int *out, int n)
{
    __shared__ unsigned char s[64 * 5];
    int t = threadIdx.x, sum = 0;
    for (int k = t; k < 64 * 5; k += 64)
        s[k] = in[k];
    __syncthreads();
#pragma unroll 1
    for (int stride = 1; stride <= 5; stride++)
        sum = sum * 11 + s[t * stride];
    __syncthreads();
    s[t * 5] = sum;
    __syncthreads();
    s[t] = sum >> 3;
    __syncthreads();
    out[t] = s[t * 5] + s[t];
}
