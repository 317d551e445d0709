// SPDX-License-Identifier: GPL-3.0-or-later
//! array d i32 64 iota
//! array e i32 96 iota
//! array text u8 26 list:97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122
//! launch staticReverse<<<1,64>>>(d, 64)
//! launch dynamicReverse<<<3,32,128>>>(e)
//! launch strrev<<<1,13>>>(text, 26)
//! expect d
//! expect e
//! expect text
#include "cuda_runtime.h"
#include "device_launch_parameters.h"

__global__ void staticReverse(int *d, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int tr = n - t - 1;
    s[t] = d[t];
    __syncthreads();
    d[t] = s[tr];
}

// each block turns its own part round
__global__ void dynamicReverse(int *d)
{
    extern __shared__ int s[];
    int *mine = d + blockIdx.x * blockDim.x;
    s[threadIdx.x] = mine[threadIdx.x];
    __syncthreads();
    mine[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void strrev(char *s, int len)
{
    int i = threadIdx.x;
    int j = len - 1 - i;
    if (i < j) {
        char tmp = s[i];
        s[i] = s[j];
        s[j] = tmp;
    }
}
