// SPDX-License-Identifier: GPL-3.0-or-later
// Eight bytes in shared memory, a word of each thread's own.
// launch 1 64
extern "C" __global__ void atomic_shared_long(const int *in, int *out, int n)
{
    __shared__ unsigned long long s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    atomicAdd(&s[63 - t], (unsigned long long)in[t] << 16);
    __syncthreads();
    ((unsigned long long *)out)[t] = s[t];
}
