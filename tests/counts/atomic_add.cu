// SPDX-License-Identifier: GPL-3.0-or-later
// Adding to one word, to a word of four lanes, and to one's own.
// launch 4 128
extern "C" __global__ void atomic_add(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    atomicAdd(out, in[i]);
    atomicAdd(&out[64 + i / 4], in[i]);
    out[1024 + i] = atomicAdd(&out[2048 + i], i);
}
