// SPDX-License-Identifier: GPL-3.0-or-later
// Bins of each thread's own, a row each: all threads of a warp meet in a bank.
// launch 1 64
extern "C" __global__ void histogram_rows(const int *in, int *out, int n)
{
    __shared__ int bins[64][16];
    int t = threadIdx.x;
#pragma unroll 1
    for (int b = 0; b < 16; b++)
        bins[t][b] = 0;
#pragma unroll 1
    for (int i = t; i < 512; i += 64)
        bins[t][in[i] & 15]++;
#pragma unroll 1
    for (int b = 0; b < 16; b++)
        out[b * 64 + t] = bins[t][b];
}
