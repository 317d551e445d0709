// SPDX-License-Identifier: GPL-3.0-or-later
// Exchanges between lanes, and a row turned round.
// launch 2 64
extern "C" __global__ void shuffle_butterfly(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x & 31, v = in[i];
#pragma unroll 1
    for (int d = 1; d < 32; d *= 2)
        v = v * 3 + __shfl_xor_sync(0xFFFFFFFF, v, d);
    out[i] = __shfl_sync(0xFFFFFFFF, v, 31 - lane);
}
