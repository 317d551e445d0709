// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics of some lanes only, and of none.
// launch 2 128
extern "C" __global__ void atomic_partial(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (in[i] % 3 == 0)
        atomicAdd(&out[in[i] & 31], 1);
    if (threadIdx.x % 32 == 7)
        atomicAdd(&out[64], in[i]);
    if (i > n)
        atomicAdd(&out[65], 1);
}
