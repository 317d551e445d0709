// SPDX-License-Identifier: GPL-3.0-or-later
// One load for lanes with global and lanes with shared addresses.
// launch 1 64
extern "C" __global__ void generic_both(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t] * 3;
    __syncthreads();
    const int *at = in[t + 64] & 1 ? &s[63 - t] : &in[t];
    out[t] = *at;
}
