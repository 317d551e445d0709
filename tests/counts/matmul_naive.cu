// SPDX-License-Identifier: GPL-3.0-or-later
// A product of 32 by 32, each thread a row times a column.
// launch 2x2 16x16
extern "C" __global__ void matmul_naive(const int *in, int *out, int n)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, sum = 0;
    for (int k = 0; k < 32; k++)
        sum += in[y * 32 + k] * in[1024 + k * 32 + x];
    out[y * 32 + x] = sum;
}
