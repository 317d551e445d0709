// SPDX-License-Identifier: GPL-3.0-or-later
// Sixty-four elements, neighbours changed in turns by one warp.
// launch 1 32
extern "C" __global__ void sort_odd_even(const int *in, int *out, int n)
{
    __shared__ int s[65];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = in[t + 32];
#pragma unroll 1
    for (int step = 0; step < 64; step++) {
        int at = 2 * t + (step & 1);
        __syncwarp();
        if (at < 63 && s[at] > s[at + 1]) {
            int v = s[at];
            s[at] = s[at + 1];
            s[at + 1] = v;
        }
    }
    __syncwarp();
    out[t] = s[t];
    out[t + 32] = s[t + 32];
}
