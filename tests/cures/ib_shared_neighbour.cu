// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 64 iota; array y i32 64 zero; launch pairs<<<1, 64>>>(x, y)
//@ kind out-of-bounds
//@ cure bounds
//@ says compare the index.*with the size of the array
//@ unsaid grid
// the last thread has no right neighbour
__global__ void pairs(const int *x, int *y)
{
    __shared__ int row[64];
    int me = threadIdx.x;
    row[me] = x[me];
    __syncthreads();
#ifdef CURED
    if (me + 1 < 64)
#endif
        y[me] = row[me] + row[me + 1];
}
