// SPDX-License-Identifier: GPL-3.0-or-later
// Barriers of two warps each, between what one writes and the other reads.
// launch 1 128
extern "C" __global__ void barrier_named(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, pair = 1 + t / 64;
    s[t] = in[t];
    asm volatile("bar.sync %0, 64;" ::"r"(pair) : "memory");
    out[t] = s[t ^ 63];
}
