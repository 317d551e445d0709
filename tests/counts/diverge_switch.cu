// SPDX-License-Identifier: GPL-3.0-or-later
// A switch of eight cases, one of which falls through.
// launch 2 64
extern "C" __global__ void diverge_switch(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x, v = in[i];
    switch (v & 7) {
    case 0: out[i] = in[i + 1]; break;
    case 1: out[i + 200] = 5; break;
    case 2: out[i + 400] = in[i + 2] * in[i + 3]; /* and on */
    case 3: out[i + 600] = v; break;
    case 4: out[i] = -v; break;
    case 5: out[2 * i + 800] = v / 3; break;
    case 6: out[i + 1200] = in[v & 1023]; break;
    default: break;
    }
    out[i + 1600] = v;
}
