// SPDX-License-Identifier: GPL-3.0-or-later
// Lane n goes round n times.
// launch 1 64
extern "C" __global__ void diverge_lane_trips(const int *in, int *out, int n)
{
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int k = 0; k < (t & 31); k++)
        sum = sum * 3 + in[k * 32 + t];
    out[t] = sum;
}
