// SPDX-License-Identifier: GPL-3.0-or-later
// Local memory for some lanes only.
// launch 1 64
extern "C" __global__ void local_diverged(const int *in, int *out, int n)
{
    int a[16], t = threadIdx.x, v = in[t];
#pragma unroll 1
    for (int k = 0; k < 16; k++)
        a[k] = k * v;
    if (v & 1)
        a[v >> 1 & 15] = 77;
    else if (v & 2)
        out[t + 64] = a[v >> 2 & 15];
    out[t] = a[v >> 1 & 15] + a[v >> 5 & 15];
}
