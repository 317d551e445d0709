// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 512 iota; array total i32 2 zero; launch foldHalves<<<2, 256>>>(x, total)
//@ kind race-shared
//@ cure syncthreads
//@ place loop-end
//@ pair warps
// the first race is within warp 0, but the barrier is for all warps
__global__ void foldHalves(const int *x, int *total)
{
    __shared__ int part[256];
    int me = threadIdx.x;
    part[me] = x[blockIdx.x * 256 + me];
    __syncthreads();
    for (int half = 128; half >= 1; half >>= 1) {
        if (me < half)
            part[me] = part[me] + part[me + half];
#ifdef CURED
        __syncthreads();
#endif
    }
    if (me == 0)
        total[blockIdx.x] = part[0];
}
