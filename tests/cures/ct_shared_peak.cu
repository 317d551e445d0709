// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array v i32 128 random; array most i32 1 zero; launch blockPeak<<<1, 128>>>(v, most)
//@ kind race-shared
//@ cure atomic
//@ says atomicMax
// the largest value of a block, in shared memory
__global__ void blockPeak(const int *v, int *most)
{
    __shared__ int best;
    int mine = v[threadIdx.x];
    if (threadIdx.x == 0)
        best = 0;
    __syncthreads();
#ifdef CURED
    atomicMax(&best, mine);
#else
    if (mine > best)
        best = mine;
#endif
    __syncthreads();
    if (threadIdx.x == 0)
        most[0] = best;
}
