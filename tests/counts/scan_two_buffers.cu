// SPDX-License-Identifier: GPL-3.0-or-later
// The same between two buffers: one barrier a step.
// launch 1 128
extern "C" __global__ void scan_two_buffers(const int *in, int *out, int n)
{
    __shared__ int s[2][128];
    int t = threadIdx.x, now = 0;
    s[0][t] = in[t];
    __syncthreads();
#pragma unroll 1
    for (int d = 1; d < 128; d *= 2) {
        if (t >= d)
            s[1 - now][t] = s[now][t] + s[now][t - d];
        else
            s[1 - now][t] = s[now][t];
        now = 1 - now;
        __syncthreads();
    }
    out[t] = s[now][t];
}
