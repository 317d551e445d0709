// SPDX-License-Identifier: GPL-3.0-or-later
// Sixteen bytes at the strides 0 to 5, and backwards.
// launch 1 64
extern "C" __global__ void global_int4_strides(const int *in, int *out, int n)
{
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int stride = 0; stride <= 5; stride++) {
        int4 v = ((const int4 *)in)[t * stride];
        sum = sum * 3 + (v.x ^ v.y ^ v.z ^ v.w);
    }
    ((int4 *)out)[63 - t] = make_int4(sum, t, 7, ~sum);
}
