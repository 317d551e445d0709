// SPDX-License-Identifier: GPL-3.0-or-later
// Eight bytes at the strides 0 to 9.
// launch 1 96
extern "C" __global__ void global_doubles(const int *in, int *out, int n)
{
    const long long *from = (const long long *)in;
    double sum = 0;
#pragma unroll 1
    for (int stride = 0; stride <= 9; stride++)
        sum += (double)(from[threadIdx.x * stride] & 0xFFFFF);
    ((double *)out)[threadIdx.x * 2] = sum;
}
