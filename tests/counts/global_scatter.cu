// SPDX-License-Identifier: GPL-3.0-or-later
// Stores at scattered places, each its own.
// launch 4 256
extern "C" __global__ void global_scatter(const int *in, int *out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    out[(i * 40503u + 11) & 0xFFFF] = in[i];
}
