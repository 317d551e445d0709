// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array wave i32 512 random; array peak i32 1 zero; launch findPeak<<<2, 256>>>(wave, peak)
//@ kind race-global
//@ cure atomic
//@ says atomicMax
// read, compare and store in plain C
__global__ void findPeak(const int *wave, int *peak)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = wave[i];
#ifdef CURED
    atomicMax(&peak[0], v);
#else
    if (v > peak[0])
        peak[0] = v;
#endif
}
