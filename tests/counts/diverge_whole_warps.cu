// SPDX-License-Identifier: GPL-3.0-or-later
// Whole warps go different ways: nothing diverges.
// launch 2 128
extern "C" __global__ void diverge_whole_warps(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (threadIdx.x & 32)
        out[i] = in[i] * 3;
    else
        out[i + 4096] = in[i + 8] - in[i + 9];
}
