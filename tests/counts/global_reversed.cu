// SPDX-License-Identifier: GPL-3.0-or-later
// From the last to the first: as many sectors as in order.
// launch 4 256
extern "C" __global__ void global_reversed(const int *in, int *out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[4 * 256 - 1 - i];
}
