// SPDX-License-Identifier: GPL-3.0-or-later
// Eight bytes at scattered indices.
// launch 1 128
extern "C" __global__ void bank8_gather(const int *in, int *out, int n)
{
    __shared__ long long s[512];
    int t = threadIdx.x;
    long long sum = 0;
    for (int k = t; k < 512; k += 128)
        s[k] = in[k];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 16; k++)
        sum = sum * 7 + s[in[t * 16 + k] & 511];
    out[t] = (int)(sum >> 5);
}
