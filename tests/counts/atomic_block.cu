// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics for the block alone and for the whole system.
// launch 2 64
extern "C" __global__ void atomic_block(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    atomicAdd_block(&out[blockIdx.x * 32 + (i & 7)], in[i]);
    atomicMax_system(&out[128], in[i]);
}
