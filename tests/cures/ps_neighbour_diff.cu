// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array h i32 96 iota; launch slopes<<<1, 96>>>(h)
//@ kind race-shared
//@ cure syncthreads
//@ place between
//@ pair warps
// each thread reads what its left neighbour has stored
__global__ void slopes(int *h)
{
    __shared__ int row[96];
    int me = threadIdx.x;
    row[me] = h[me];
#ifdef CURED
    __syncthreads();
#endif
    if (me > 0)
        h[me] = row[me] - row[me - 1];
}
