// SPDX-License-Identifier: GPL-3.0-or-later
// Eight bytes: add, greatest, or, exchange, compare.
// launch 2 64
extern "C" __global__ void atomic_long(const int *in, int *out, int n)
{
    unsigned long long *o = (unsigned long long *)out;
    int i = blockIdx.x * 64 + threadIdx.x;
    atomicAdd(&o[0], (unsigned long long)in[i] << 20);
    atomicMax(&o[1 + (i & 1)], (unsigned long long)in[i] << 9);
    atomicOr(&o[4], 1ull << (i & 63));
    o[512 + i] = atomicExch(&o[256 + i], 5ull + i);
    o[1024 + i] = atomicCAS(&o[256 + i], 5ull + i, 99);
}
