// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes skip the rest of a turn.
// launch 1 64
extern "C" __global__ void diverge_continue(const int *in, int *out, int n)
{
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int k = 0; k < 12; k++) {
        int v = in[t + 64 * k];
        if (v & 4)
            continue;
        out[t + 64 * k] = v;
        if (v & 8)
            continue;
        sum += in[v & 511];
    }
    out[t + 1024] = sum;
}
