// SPDX-License-Identifier: GPL-3.0-or-later
// Exchange and compare in shared memory, a word of each thread's own.
// launch 1 64
extern "C" __global__ void atomic_shared_exchange(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    out[t] = atomicExch(&s[63 - t], in[t]);
    out[t + 64] = atomicCAS(&s[63 - t], in[t], 5);
    __syncthreads();
    out[t + 128] = s[t];
}
