// SPDX-License-Identifier: GPL-3.0-or-later
// In shared memory: a word of one's own, of neighbours, of all.
// launch 1 128
extern "C" __global__ void atomic_shared(const int *in, int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = 0;
    s[t + 128] = 0;
    __syncthreads();
    atomicAdd(&s[t], in[t]);
    atomicAdd(&s[128 + t / 8], in[t]);
    atomicMax(&s[200], in[t]);
    __syncthreads();
    out[t] = s[t];
    out[t + 128] = s[t + 128];
}
