// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores with cache hints count like any other.
// launch 2 128
extern "C" __global__ void global_hints(const int *in, int *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    int a = __ldcg(in + i), b = __ldcs(in + i + 1), c = __ldcv(in + 2 * i);
    __stcg(out + i, a + b);
    __stcs(out + 1024 + i, b - c);
    __stwt(out + 2048 + 2 * i, c);
}
