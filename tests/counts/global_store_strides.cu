// SPDX-License-Identifier: GPL-3.0-or-later
// Stores at the strides 1 to 17.
// launch 1 32
extern "C" __global__ void global_store_strides(const int *in, int *out, int n)
{
#pragma unroll 1
    for (int stride = 1; stride <= 17; stride++)
        out[stride * 1024 + threadIdx.x * stride] = in[threadIdx.x] + stride;
}
