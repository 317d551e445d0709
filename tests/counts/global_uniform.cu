// SPDX-License-Identifier: GPL-3.0-or-later
// One address for all lanes, and one for a block.
// launch 4 128
extern "C" __global__ void global_uniform(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[n] + in[blockIdx.x * 9];
}
