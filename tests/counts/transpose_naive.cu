// SPDX-License-Identifier: GPL-3.0-or-later
// Rows read, columns written.
// launch 4x4 16x16
extern "C" __global__ void transpose_naive(const int *in, int *out, int n)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    out[x * 64 + y] = in[y * 64 + x];
}
