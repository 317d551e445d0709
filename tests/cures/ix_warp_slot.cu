// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 512 iota; array warpmax i32 16 zero; launch warpMaxima<<<4, 128>>>(x, warpmax)
//@ kind race-global
//@ cure index
// one maximum for each warp of the grid
__device__ int maxOfWarp(int v)
{
    for (int o = 16; o > 0; o >>= 1)
        v = max(v, __shfl_xor_sync(0xffffffffu, v, o));
    return v;
}

__global__ void warpMaxima(const int *x, int *warpmax)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = maxOfWarp(x[i]);
    if (threadIdx.x % 32 == 0) {
#ifdef CURED
        warpmax[i / 32] = v;
#else
        warpmax[blockIdx.x] = v;
#endif
    }
}
