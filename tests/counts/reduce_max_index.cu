// SPDX-License-Identifier: GPL-3.0-or-later
// The largest element and its place, as one number of eight bytes.
// launch 2 128
extern "C" __global__ void reduce_max_index(const int *in, int *out, int n)
{
    __shared__ long long s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = ((long long)in[i] << 32) + i;
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        if (t < d && s[t + d] > s[t])
            s[t] = s[t + d];
        __syncthreads();
    }
    if (t == 0)
        ((long long *)out)[blockIdx.x] = s[0];
}
