// SPDX-License-Identifier: GPL-3.0-or-later
// In shared memory at strides of two and 32.
// launch 1 64
extern "C" __global__ void atomic_shared_banks(const int *in, int *out, int n)
{
    __shared__ int s[64 * 32];
    int t = threadIdx.x;
    for (int k = t; k < 64 * 32; k += 64)
        s[k] = 0;
    __syncthreads();
    atomicAdd(&s[t * 2], in[t]);
    atomicOr(&s[t * 32], in[t]);
    __syncthreads();
    for (int k = t; k < 64 * 32; k += 64)
        out[k] = s[k];
}
