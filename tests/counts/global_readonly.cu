// SPDX-License-Identifier: GPL-3.0-or-later
// Loads that may go through the read-only path.
// launch 2 128
extern "C" __global__ void global_readonly(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    int2 v = __ldg((const int2 *)in + i);
    out[i] = __ldg(in + i * 3) + v.x - v.y;
}
