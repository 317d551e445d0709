// SPDX-License-Identifier: GPL-3.0-or-later
// Stores at scattered indices, each its own.
// launch 1 256
extern "C" __global__ void bank4_scatter(const int *in, int *out, int n)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    for (int k = t; k < 1024; k += 256)
        s[k] = k;
    __syncthreads();
    s[(t * 421 + 77) & 1023] = in[t];
    __syncthreads();
    for (int k = t; k < 1024; k += 256)
        out[k] = s[k];
}
