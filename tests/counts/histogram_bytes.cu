// SPDX-License-Identifier: GPL-3.0-or-later
// Bins of one byte, four of them a word.
// launch 1 128
extern "C" __global__ void histogram_bytes(const int *in, int *out, int n)
{
    __shared__ unsigned char bins[32][128];
    int t = threadIdx.x, sum = 0;
    for (int b = 0; b < 32; b++)
        bins[b][t] = 0;
    for (int i = t; i < 2048; i += 128)
        bins[in[i] & 31][t]++;
    __syncthreads();
    for (int k = 0; k < 32; k++)
        sum += bins[t & 31][(t >> 5) * 32 + k];
    out[t] = sum;
}
