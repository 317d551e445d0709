// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 64 iota; launch shiftAll<<<1, 64>>>(x)
//@ kind out-of-bounds
//@ cure bounds
//@ says shared memory.*large enough for all threads of the block
//@ unsaid grid
// 64 threads, and 32 elements
#ifdef CURED
#define ROOM 64
#else
#define ROOM 32
#endif
__global__ void shiftAll(int *x)
{
    __shared__ int row[ROOM];
    int me = threadIdx.x;
    row[me] = x[me];
    __syncthreads();
    x[me] = row[63 - me];
}
