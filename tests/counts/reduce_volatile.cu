// SPDX-License-Identifier: GPL-3.0-or-later
// The last steps within one warp, through volatile shared memory.
// launch 1 128
extern "C" __global__ void reduce_volatile(const int *in, int *out, int n)
{
    __shared__ volatile int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 64)
        s[t] = s[t] + s[t + 64];
    __syncthreads();
    if (t < 32) {
        for (int d = 32; d > 0; d /= 2) {
            int v = s[t] + (t < d ? s[t + d] : 0);
            __syncwarp();
            s[t] = v;
            __syncwarp();
        }
        if (t == 0)
            out[0] = s[0];
    }
}
