// SPDX-License-Identifier: GPL-3.0-or-later
// Through a tile with a word more in each row: no conflict.
// launch 2x2 32x8
extern "C" __global__ void transpose_padded(const int *in, int *out, int n)
{
    __shared__ int tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * 64 + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        out[(y + k) * 64 + x] = tile[threadIdx.x][threadIdx.y + k];
}
