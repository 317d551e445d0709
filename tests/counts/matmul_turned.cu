// SPDX-License-Identifier: GPL-3.0-or-later
// The second factor's tile is kept with its rows as columns.
// launch 2x2 16x16
extern "C" __global__ void matmul_turned(const int *in, int *out, int n)
{
    __shared__ int a[16][16], b[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, sum = 0;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    for (int tile = 0; tile < 32; tile += 16) {
        a[ty][tx] = in[y * 32 + tile + tx];
        b[tx][ty] = in[1024 + (tile + ty) * 32 + x];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < 16; k++)
            sum += a[ty][k] * b[tx][k];
        __syncthreads();
    }
    out[y * 32 + x] = sum;
}
