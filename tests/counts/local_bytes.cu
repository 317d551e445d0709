// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes in local memory: a row of letters turned round.
// launch 1 96
extern "C" __global__ void local_bytes(const int *in, int *out, int n)
{
    unsigned char a[20];
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int k = 0; k < 20; k++)
        a[k] = in[t * 20 + k];
#pragma unroll 1
    for (int k = 0; k < 10; k++) {
        unsigned char v = a[k];
        a[k] = a[19 - k];
        a[19 - k] = v;
    }
#pragma unroll 1
    for (int k = 0; k < 20; k++)
        sum = sum * 7 + a[k];
    out[t] = sum;
}
