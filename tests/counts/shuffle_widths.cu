// SPDX-License-Identifier: GPL-3.0-or-later
// Shuffles in parts of eight lanes, by index, up and down.
// launch 1 64
extern "C" __global__ void shuffle_widths(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    v += __shfl_sync(0xFFFFFFFF, v, v & 7, 8);
    v ^= __shfl_up_sync(0xFFFFFFFF, v, 3, 8);
    v += __shfl_down_sync(0xFFFFFFFF, v, 2, 16);
    long long w = __shfl_xor_sync(0xFFFFFFFF, (long long)v << 20, 9);
    out[t] = v + (int)(w >> 16);
}
