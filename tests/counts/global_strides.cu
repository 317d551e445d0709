// SPDX-License-Identifier: GPL-3.0-or-later
// Loads at the strides 0 to 33.
// launch 1 64
extern "C" __global__ void global_strides(const int *in, int *out, int n)
{
    int sum = 0;
#pragma unroll 1
    for (int stride = 0; stride <= 33; stride++)
        sum = sum * 3 + in[threadIdx.x * stride];
    out[threadIdx.x] = sum;
}
