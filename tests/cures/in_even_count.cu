// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 512 iota; array evens i32 4 zero; launch countEven<<<4, 128>>>(x, evens)
//@ kind uninitialized
//@ cure initialize
__global__ void countEven(const int *x, int *evens)
{
    __shared__ int total;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef CURED
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
#endif
    if (x[i] % 2 == 0)
        atomicAdd(&total, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        evens[blockIdx.x] = total;
}
