// SPDX-License-Identifier: GPL-3.0-or-later
// A product by comparing and exchanging, a word of each thread's own.
// launch 2 64
extern "C" __global__ void atomic_cas_loop(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x, seen = out[i], was;
#pragma unroll 1
    do {
        was = seen;
        seen = atomicCAS(&out[i], was, (was + 3) * in[i]);
    } while (seen != was);
}
