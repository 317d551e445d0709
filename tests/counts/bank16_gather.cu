// SPDX-License-Identifier: GPL-3.0-or-later
// Sixteen bytes at scattered indices.
// launch 1 64
extern "C" __global__ void bank16_gather(const int *in, int *out, int n)
{
    __shared__ int4 s[256];
    int t = threadIdx.x, sum = 0;
    for (int k = t; k < 256; k += 64)
        s[k] = make_int4(in[k], k, in[k + 256], -k);
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 16; k++) {
        int4 v = s[in[t * 16 + k] & 255];
        sum = sum * 7 + (v.x ^ v.y) + (v.z ^ v.w);
    }
    out[t] = sum;
}
