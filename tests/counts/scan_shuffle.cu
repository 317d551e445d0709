// SPDX-License-Identifier: GPL-3.0-or-later
// Prefix sums by shuffles in a warp, then over the warps' totals.
// launch 2 256
extern "C" __global__ void scan_shuffle(const int *in, int *out, int n)
{
    __shared__ int totals[8];
    int t = threadIdx.x, lane = t & 31, v = in[blockIdx.x * 256 + t];
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xFFFFFFFF, v, d);
        if (lane >= d)
            v += below;
    }
    if (lane == 31)
        totals[t / 32] = v;
    __syncthreads();
    for (int w = 0; w < t / 32; w++)
        v += totals[w];
    out[blockIdx.x * 256 + t] = v;
}
