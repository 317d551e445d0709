// SPDX-License-Identifier: GPL-3.0-or-later
// One field of structures of three: most of each sector is for nothing.
// launch 2 128
extern "C" __global__ void struct3_one_field(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[3 * i + 1];
}
