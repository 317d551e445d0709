// SPDX-License-Identifier: GPL-3.0-or-later
// Stores of eight bytes at scattered indices, each its own.
// launch 1 128
extern "C" __global__ void bank8_scatter(const int *in, int *out, int n)
{
    __shared__ double s[512];
    int t = threadIdx.x;
    for (int k = t; k < 512; k += 128)
        s[k] = k;
    __syncthreads();
    s[(t * 213 + 9) & 511] = in[t];
    __syncthreads();
    s[(t * 365 + 5) & 511] = 3;
    __syncthreads();
    for (int k = t; k < 512; k += 128)
        out[k] = (int)s[k];
}
