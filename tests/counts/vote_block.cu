// SPDX-License-Identifier: GPL-3.0-or-later
// Barriers that count, and, or over the block.
// launch 2 96
extern "C" __global__ void vote_block(const int *in, int *out, int n)
{
    int i = blockIdx.x * 96 + threadIdx.x, v = in[i];
    int count = __syncthreads_count(v & 1);
    int both = __syncthreads_and(v > 9), one = __syncthreads_or(v == 9);
    out[i] = count * 4 + both * 2 + one;
}
