// SPDX-License-Identifier: GPL-3.0-or-later
// Exchange and compare, a word of each thread's own.
// launch 2 64
extern "C" __global__ void atomic_exchange(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = atomicExch(&out[1024 + i], in[i]);
    out[i + 256] = atomicCAS(&out[1024 + i], in[i], 7);
    out[i + 512] = atomicCAS(&out[1024 + i], in[i] + 1, 9);
}
