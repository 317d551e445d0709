// SPDX-License-Identifier: GPL-3.0-or-later
// The least and the greatest, signed and unsigned.
// launch 2 128
extern "C" __global__ void atomic_bounds(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x, v = in[i] - (1 << 23);
    atomicMin(&out[0], v);
    atomicMax(&out[1], v);
    atomicMax((unsigned *)&out[2 + i % 5], (unsigned)v);
    atomicMin((unsigned *)&out[9], (unsigned)v);
}
