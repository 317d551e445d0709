// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array bid i32 1024 random; array top i32 1 zero; launch auction<<<4, 256>>>(bid, top, 1024)
//@ kind race-global
//@ cure atomic
//@ says atomicMax
// the comparison and the exchange are two steps
__global__ void auction(const int *bid, int *top, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#ifdef CURED
        atomicMax(top, bid[i]);
#else
        if (bid[i] > *top)
            atomicExch(top, bid[i]);
#endif
    }
}
