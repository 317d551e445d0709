// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of two floats, then the second float of each alone.
// launch 2 128
extern "C" __global__ void global_float2(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    int2 v = ((const int2 *)in)[i];
    float2 f = make_float2((float)v.x, (float)v.y);
    ((float2 *)out)[i] = f;
    out[4096 + i] = in[2 * i + 1] + v.x;
}
