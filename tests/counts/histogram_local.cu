// SPDX-License-Identifier: GPL-3.0-or-later
// Bins of each thread's own in local memory.
// launch 2 64
extern "C" __global__ void histogram_local(const int *in, int *out, int n)
{
    int bins[16] = {0}, i = blockIdx.x * 64 + threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 20; k++)
        bins[in[i * 20 + k] & 15]++;
#pragma unroll 1
    for (int b = 0; b < 16; b++)
        out[b * 128 + i] = bins[b];
}
