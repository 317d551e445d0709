// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes leave a loop on what they load.
// launch 1 64
extern "C" __global__ void diverge_break(const int *in, int *out, int n)
{
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int k = 0; k < 16; k++) {
        int v = in[t + 64 * k];
        if (v % 9 == 0)
            break;
        sum += v;
        out[t + 64 * k] = sum;
    }
    out[t + 1024] = sum;
}
