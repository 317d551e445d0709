// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 128 iota; array sum i32 1 zero; launch addUp<<<1, 128>>>(x, sum)
//@ kind uninitialized
//@ cure initialize
//@ says shared
//@ unsaid before the launch
// shared memory does not begin with zeros
__global__ void addUp(const int *x, int *sum)
{
    __shared__ int total;
#ifdef CURED
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
#endif
    atomicAdd(&total, x[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        sum[0] = total;
}
