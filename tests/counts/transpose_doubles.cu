// SPDX-License-Identifier: GPL-3.0-or-later
// Eight bytes an element, tiles with and without a column more.
// launch 2x2 16x16
extern "C" __global__ void transpose_doubles(const int *in, int *out, int n)
{
    __shared__ double plain[16][16], padded[16][17];
    int x = blockIdx.x * 16, y = blockIdx.y * 16;
    double v = in[(y + threadIdx.y) * 32 + x + threadIdx.x];
    plain[threadIdx.y][threadIdx.x] = v;
    padded[threadIdx.y][threadIdx.x] = v;
    __syncthreads();
    v = plain[threadIdx.x][threadIdx.y] + padded[threadIdx.x][threadIdx.y];
    ((double *)out)[(x + threadIdx.y) * 32 + y + threadIdx.x] = v;
}
