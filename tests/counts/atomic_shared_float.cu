// SPDX-License-Identifier: GPL-3.0-or-later
// Floats in shared memory, a word of each thread's own.
// launch 1 64
extern "C" __global__ void atomic_shared_float(const int *in, int *out, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = 2;
    __syncthreads();
    atomicAdd(&s[63 - t], (float)(in[t] & 1023));
    __syncthreads();
    out[t] = (int)s[t];
}
