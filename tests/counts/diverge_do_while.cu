// SPDX-License-Identifier: GPL-3.0-or-later
// The greatest common divisor, the loop's end asked after each turn.
// launch 1 64
extern "C" __global__ void diverge_do_while(const int *in, int *out, int n)
{
    int t = threadIdx.x, a = (in[t] & 1023) + 1, b = (in[t + 64] & 1023) + 1;
#pragma unroll 1
    do {
        int r = a % b;
        out[t + 64 * (r & 3)] = r;
        a = b;
        b = r;
    } while (b != 0);
    out[t + 512] = a;
}
