// SPDX-License-Identifier: GPL-3.0-or-later
// A chain of loads, each from where the one before says.
// launch 1 64
extern "C" __global__ void global_chase(const int *in, int *out, int n)
{
    int at = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 12; k++)
        at = in[at] & 0xFFFF;
    out[threadIdx.x] = at;
}
