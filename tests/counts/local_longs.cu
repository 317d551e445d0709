// SPDX-License-Identifier: GPL-3.0-or-later
// Eight bytes an element in local memory.
// launch 1 64
extern "C" __global__ void local_longs(const int *in, int *out, int n)
{
    long long a[12], sum = 0;
    int t = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 12; k++)
        a[k] = (long long)in[t + k] << (k & 7);
#pragma unroll 1
    for (int k = 0; k < 12; k++)
        sum = sum * 3 + a[(k + t) % 12];
    ((long long *)out)[t] = sum;
}
