// SPDX-License-Identifier: GPL-3.0-or-later
// Sixteen bytes an element in local memory.
// launch 1 64
extern "C" __global__ void local_vectors(const int *in, int *out, int n)
{
    int4 a[8];
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int k = 0; k < 8; k++)
        a[k] = ((const int4 *)in)[t + 64 * k];
#pragma unroll 1
    for (int k = 0; k < 8; k++) {
        int4 v = a[in[t + k] & 7];
        sum = sum * 3 + (v.x ^ v.y ^ v.z ^ v.w);
    }
    out[t] = sum;
}
