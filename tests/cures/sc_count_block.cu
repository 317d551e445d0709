// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array a i32 512 iota; array count i32 1 zero; launch countOdd<<<4, 128>>>(a, count, 512)
//@ kind race-global
//@ cure atomic-scope
//@ says only among the threads of one block.*atomicAdd
__global__ void countOdd(const int *a, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] % 2)
#ifdef CURED
        atomicAdd(count, 1);
#else
        atomicAdd_block(count, 1);
#endif
}
