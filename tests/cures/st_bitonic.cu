// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array keys u32 256 random; launch bitonicSort<<<1, 256, 1024>>>(keys)
//@ kind race-shared
//@ cure syncthreads
//@ place loop-end
__device__ void order(unsigned int &a, unsigned int &b, bool up)
{
    if ((a > b) == up) {
        unsigned int t = a;
        a = b;
        b = t;
    }
}

__global__ void bitonicSort(unsigned int *keys)
{
    extern __shared__ unsigned int s[];
    unsigned int t = threadIdx.x;
    s[t] = keys[t];
    __syncthreads();

    for (unsigned int k = 2; k <= blockDim.x; k *= 2) {
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            unsigned int other = t ^ j;
            if (other > t)
                order(s[t], s[other], (t & k) == 0);
#ifdef CURED
            __syncthreads();
#endif
        }
    }
#ifndef CURED
    __syncthreads();
#endif
    keys[t] = s[t];
}
