// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array h i32 64 iota; array d i32 64 zero; launch rise<<<1, 64>>>(h, d)
//@ kind out-of-bounds
//@ cure bounds
//@ says before the start of the array: the index.*is -1.*> 0
//@ unsaid A grid often
// thread 0 has no left neighbour
__global__ void rise(const int *h, int *d)
{
    int i = threadIdx.x;
#ifdef CURED
    if (i > 0)
#endif
        d[i] = h[i] - h[i - 1];
}
