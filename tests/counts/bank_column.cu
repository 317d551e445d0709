// SPDX-License-Identifier: GPL-3.0-or-later
// A column of a square of 32 by 32 words, then of one with a word more in each row.
// launch 1 32x8
extern "C" __global__ void bank_column(const int *in, int *out, int n)
{
    __shared__ int square[32][32], padded[32][33];
    for (int row = threadIdx.y; row < 32; row += 8) {
        square[row][threadIdx.x] = in[row * 32 + threadIdx.x];
        padded[row][threadIdx.x] = in[row * 32 + threadIdx.x];
    }
    __syncthreads();
    for (int row = threadIdx.y; row < 32; row += 8)
        out[row * 32 + threadIdx.x] = square[threadIdx.x][row] - 2 * padded[threadIdx.x][row];
}
