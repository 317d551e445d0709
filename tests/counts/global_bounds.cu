// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of n elements, n no multiple of the warp: a last warp with eight lanes.
// launch 8 128
extern "C" __global__ void global_bounds(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        out[i] = in[i] + 1;
}
