// SPDX-License-Identifier: GPL-3.0-or-later
// Loads that && and
// launch 2 64
extern "C" __global__ void diverge_short_circuit(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if ((in[i] & 1) && (in[i + 128] & 2) && (in[i + 256] & 1))
        out[i] = 1;
    if ((in[i + 384] & 3) == 0 || (in[i + 512] & 4) || in[i + 640] % 3 == 0)
        out[i + 128] = in[i + 768];
}
