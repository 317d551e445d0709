// SPDX-License-Identifier: GPL-3.0-or-later
// Elements at scattered indices.
// launch 4 256
extern "C" __global__ void global_gather(const int *in, int *out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[in[i] & 0xFFFF] + in[in[i] & 255];
}
