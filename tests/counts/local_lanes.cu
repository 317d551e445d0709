// SPDX-License-Identifier: GPL-3.0-or-later
// An array in local memory, each lane at its own index.
// launch 2 64
extern "C" __global__ void local_lanes(const int *in, int *out, int n)
{
    int a[16], i = blockIdx.x * 64 + threadIdx.x, sum = 0;
#pragma unroll 1
    for (int k = 0; k < 16; k++)
        a[(k + i) & 15] = in[i * 16 + k];
#pragma unroll 1
    for (int k = 0; k < 16; k++)
        sum = sum * 3 + a[in[i + k] & 15];
    out[i] = sum;
}
