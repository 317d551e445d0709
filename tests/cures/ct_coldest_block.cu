// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array deg i32 64 iota; array low i32 1 value:1000; launch coldest<<<1, 64>>>(deg, low)
//@ kind race-global
//@ cure atomic
//@ says atomicMin
// one block, one place: a barrier would not help
__global__ void coldest(const int *deg, int *low)
{
    int mine = deg[threadIdx.x] - 40;
#ifdef CURED
    atomicMin(low, mine);
#else
    if (*low > mine)
        atomicExch(low, mine);
#endif
}
