// SPDX-License-Identifier: GPL-3.0-or-later
// The same sums by the first threads: no divergence, but banks meet.
// launch 2 256
extern "C" __global__ void reduce_strided(const int *in, int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int at = 2 * d * t;
        if (at < 256)
            s[at] += s[at + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
