// SPDX-License-Identifier: GPL-3.0-or-later
// And, or, exclusive or.
// launch 2 128
extern "C" __global__ void atomic_logic(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    atomicOr(&out[i & 7], 1 << (in[i] & 31));
    atomicXor(&out[8 + (i & 3)], in[i]);
    atomicAnd(&out[16], in[i]);
}
