// SPDX-License-Identifier: GPL-3.0-or-later
// Odd and even lanes go different ways, each with loads and stores of its own.
// launch 2 128
extern "C" __global__ void diverge_if_else(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i & 1)
        out[i] = in[i] * 3;
    else
        out[i + 4096] = in[i + 8] - in[i + 9];
    out[i + 8192] = i;
}
