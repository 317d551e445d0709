// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array a i32 1024 iota; launch mirrorMean<<<4, 256>>>(a, 1024)
//@ kind race-global
//@ cure grid-sync
//@ place split
#ifdef CURED
#include <cooperative_groups.h>
#endif
// makes the array symmetric: each value becomes the sum with its mirror image
__global__ void mirrorMean(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef CURED
    int v = 0;
    if (i < n)
        v = a[i] + a[n - 1 - i];
    cooperative_groups::this_grid().sync();
    if (i < n)
        a[i] = v;
#else
    if (i < n)
        a[i] = a[i] + a[n - 1 - i];
#endif
}
