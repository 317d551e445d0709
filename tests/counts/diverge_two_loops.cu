// SPDX-License-Identifier: GPL-3.0-or-later
// A loop in a loop, both with trips of the lane's own.
// launch 1 64
extern "C" __global__ void diverge_two_loops(const int *in, int *out, int n)
{
    int t = threadIdx.x, sum = 0, v = in[t];
#pragma unroll 1
    for (int k = 0; k < (v & 3); k++) {
#pragma unroll 1
        for (int j = 0; j < (v >> 2 & 7) - k; j++)
            sum += in[t + 64 * (k + j)];
        out[t + 64 * k] = sum;
    }
    out[t + 512] = sum;
}
