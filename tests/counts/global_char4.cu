// SPDX-License-Identifier: GPL-3.0-or-later
// Four bytes as a vector of four.
// launch 2 128
extern "C" __global__ void global_char4(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    uchar4 v = ((const uchar4 *)in)[i], w = ((const uchar4 *)in)[2 * i + 1];
    ((uchar4 *)out)[i] = make_uchar4(v.w + w.x, v.z, w.y, v.x);
}
