/* SPDX-License-Identifier: GPL-3.0-or-later */
/* every atomic in its three scopes */
__global__ void each(int *i, unsigned *u, unsigned long long *l, float *f, double *d,
                     unsigned short *h)
{
    __shared__ int s;
    atomicAdd(i, 1); atomicSub(i, 1); atomicMin(i, 1); atomicMax(i, 1); atomicExch(i, 1);
    atomicAnd(i, 1); atomicOr(i, 1); atomicXor(i, 1); i[1] = atomicCAS(i, 1, 2);
    atomicAdd(u, 1u); atomicSub(u, 1u); atomicInc(u, 9u); atomicDec(u, 9u); atomicMax(u, 3u);
    atomicAdd(l, 1ull); atomicCAS(l, 1ull, 2ull); atomicExch(l, 3ull); atomicMin(l, 3ull);
    atomicAdd(f, 1.0f); atomicExch(f, 2.0f); atomicAdd(d, 1.0); atomicAdd(&s, 3);
    atomicAdd_block(i, 1); atomicAdd_system(i, 1); atomicCAS_block(u, 1u, 2u);
    atomicMax_block(i, 1); atomicAdd_system(f, 1.0f); atomicInc_block(u, 3u);
    h[1] = atomicCAS(h, (unsigned short)1, (unsigned short)2);
}
