// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes return from inside a loop.
// launch 1 96
extern "C" __global__ void diverge_return_in_loop(const int *in, int *out, int n)
{
    int t = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 10; k++) {
        int v = in[t + 96 * k];
        if (v % 7 == 0)
            return;
        out[t + 96 * k] = v;
    }
    out[t + 1024] = 1;
}
