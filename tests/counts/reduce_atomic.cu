// SPDX-License-Identifier: GPL-3.0-or-later
// Sum by an atomic a warp.
// launch 4 128
extern "C" __global__ void reduce_atomic(const int *in, int *out, int n)
{
    int v = in[blockIdx.x * 128 + threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xFFFFFFFF, v, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, v);
}
