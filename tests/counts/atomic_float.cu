// SPDX-License-Identifier: GPL-3.0-or-later
// Floats: whole numbers, so that the order of the sums is the same to all.
// launch 2 128
extern "C" __global__ void atomic_float(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    atomicAdd((float *)out, (float)(in[i] & 255));
    atomicAdd((float *)out + 8 + i / 2, 1.5f);
}
