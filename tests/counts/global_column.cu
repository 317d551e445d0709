// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks four wide: a warp covers eight rows of four.
// launch 2 4x16
extern "C" __global__ void global_column(const int *in, int *out, int n)
{
    int x = blockIdx.x * 4 + threadIdx.x, y = threadIdx.y;
    out[x * 64 + y] = in[y * 64 + x];
}
