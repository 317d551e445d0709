// SPDX-License-Identifier: GPL-3.0-or-later
// Sum by neighbours, then neighbours two apart: every step diverges.
// launch 2 256
extern "C" __global__ void reduce_interleaved(const int *in, int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        if (t % (2 * d) == 0)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
