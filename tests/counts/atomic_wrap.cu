// SPDX-License-Identifier: GPL-3.0-or-later
// Counting up and down between bounds.
// launch 2 64
extern "C" __global__ void atomic_wrap(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    atomicInc((unsigned *)&out[i & 3], 9);
    atomicDec((unsigned *)&out[4 + (i & 1)], 12);
}
