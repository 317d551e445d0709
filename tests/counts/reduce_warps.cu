// SPDX-License-Identifier: GPL-3.0-or-later
// Sum by shuffles within warps, then by one warp over the others.
// launch 2 256
extern "C" __global__ void reduce_warps(const int *in, int *out, int n)
{
    __shared__ int s[8];
    int t = threadIdx.x, v = in[blockIdx.x * 256 + t];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xFFFFFFFF, v, d);
    if (t % 32 == 0)
        s[t / 32] = v;
    __syncthreads();
    if (t < 32) {
        v = t < 8 ? s[t] : 0;
        for (int d = 4; d > 0; d /= 2)
            v += __shfl_xor_sync(0xFFFFFFFF, v, d);
        if (t == 0)
            out[blockIdx.x] = v;
    }
}
