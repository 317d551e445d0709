// SPDX-License-Identifier: GPL-3.0-or-later
// A tile of 16 by 16: a warp takes two rows, and two columns meet in a bank.
// launch 4x4 16x16
extern "C" __global__ void transpose_small(const int *in, int *out, int n)
{
    __shared__ int tile[16][16];
    int x = blockIdx.x * 16, y = blockIdx.y * 16;
    tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * 64 + x + threadIdx.x];
    __syncthreads();
    out[(x + threadIdx.y) * 64 + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
