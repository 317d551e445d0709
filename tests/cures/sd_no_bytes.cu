// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 64 iota; launch turn<<<1, 64>>>(x)
//@ cured array x i32 64 iota; launch turn<<<1, 64, 256>>>(x)
//@ kind out-of-bounds
//@ cure shared-bytes
//@ says third number
// the launch gives no bytes to the dynamic shared memory
extern __shared__ int room[];
__global__ void turn(int *x)
{
    int me = threadIdx.x;
    room[me] = x[me];
    __syncthreads();
    x[me] = room[63 - me];
}
