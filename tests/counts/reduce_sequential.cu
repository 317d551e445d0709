// SPDX-License-Identifier: GPL-3.0-or-later
// Sum of the halves: no conflict, whole warps fall away.
// launch 2 256
extern "C" __global__ void reduce_sequential(const int *in, int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
