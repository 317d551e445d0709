// SPDX-License-Identifier: GPL-3.0-or-later
// Five points from a tile of 18 by 18 with its margin.
// launch 2x2 16x16
extern "C" __global__ void stencil_tile(const int *in, int *out, int n)
{
    __shared__ int s[18][18];
    int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16, tx = threadIdx.x, ty = threadIdx.y;
    for (int k = ty * 16 + tx; k < 18 * 18; k += 256)
        s[k / 18][k % 18] = in[(y0 + k / 18) * 40 + x0 + k % 18];
    __syncthreads();
    int around = s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2];
    out[(y0 + ty) * 32 + x0 + tx] = around - 4 * s[ty + 1][tx + 1];
}
