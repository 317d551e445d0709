// SPDX-License-Identifier: GPL-3.0-or-later
// Three choices inside each other, all eight ways with a store and a meeting after each.
// launch 1 128
extern "C" __global__ void diverge_nested(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    if (v & 1) {
        if (v & 2)
            out[t] = in[v & 255];
        else if (v & 4)
            out[t] = in[v & 127] + in[t + 1];
        else
            out[t + 128] = v;
        out[t + 256] = v;
    } else {
        if (v & 2) {
            if (v & 4)
                out[t + 384] = in[t + 2];
            out[t + 512] = 3;
        }
        out[t + 640] = in[t + 3];
    }
    out[t + 768] = v;
}
