// SPDX-License-Identifier: GPL-3.0-or-later
// Banks under divergence: each way has strides of its own.
// launch 1 64
extern "C" __global__ void diverge_shared(const int *in, int *out, int n)
{
    __shared__ int s[64 * 8];
    int t = threadIdx.x, v = in[t];
    for (int k = t; k < 64 * 8; k += 64)
        s[k] = in[k];
    __syncthreads();
    if (v & 1)
        out[t] = s[t * 8] + s[t];
    else if (v & 2)
        out[t] = s[t * 4] * 3;
    else
        s[t * 8 + 5] = v;
    __syncthreads();
    out[t + 64] = s[t * 8 + 5];
}
