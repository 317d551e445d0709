// SPDX-License-Identifier: GPL-3.0-or-later
// An array in local memory, all lanes at one index.
// launch 2 64
extern "C" __global__ void local_array(const int *in, int *out, int n)
{
    int a[24], i = blockIdx.x * 64 + threadIdx.x, sum = 0;
#pragma unroll 1
    for (int k = 0; k < 24; k++)
        a[k] = in[i + k * 128];
#pragma unroll 1
    for (int k = 0; k < 24; k++)
        sum = sum * 3 + a[(k * 5) % 24];
    out[i] = sum;
}
