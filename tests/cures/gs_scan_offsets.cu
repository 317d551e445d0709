// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array in u32 320 iota; array out u32 320 zero; array sums u32 5 zero; launch bigScan<<<5, 64>>>(in, out, sums)
//@ kind race-global
//@ cure grid-sync
//@ place between
#include <cooperative_groups.h>

__global__ void bigScan(const unsigned int *in, unsigned int *out, unsigned int *sums)
{
    __shared__ unsigned int s[64];
    unsigned int t = threadIdx.x, i = blockIdx.x * 64 + t;

    s[t] = in[i];
    __syncthreads();
    for (unsigned int d = 1; d < 64; d *= 2) {
        unsigned int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t == 63)
        sums[blockIdx.x] = s[63];

#ifdef CURED
    cooperative_groups::this_grid().sync();
#endif
    // what the blocks before mine hold
    unsigned int before = 0;
    for (unsigned int b = 0; b < blockIdx.x; b++)
        before += sums[b];
    out[i] = before + s[t];
}
