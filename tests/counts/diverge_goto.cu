// SPDX-License-Identifier: GPL-3.0-or-later
// Jumps into a place that two ways share.
// launch 1 64
extern "C" __global__ void diverge_goto(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    if (v & 1) {
        out[t] = v;
        if (v & 2)
            goto shared;
        out[t + 64] = in[t + 64];
        goto end;
    }
    if (v & 4)
        goto end;
shared:
    out[t + 128] = in[t + 128] + v;
end:
    out[t + 192] = v;
}
