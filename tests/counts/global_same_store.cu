// SPDX-License-Identifier: GPL-3.0-or-later
// All lanes store one value at one place; pairs share places.
// launch 2 64
extern "C" __global__ void global_same_store(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[blockIdx.x] = in[blockIdx.x];
    out[64 + i / 2] = in[i / 2];
}
