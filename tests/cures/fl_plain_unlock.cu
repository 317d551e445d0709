// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array door i32 1 zero; array n i32 1 zero; launch enter<<<4, 32>>>(door, n)
//@ kind race-global
//@ cure atomic
//@ line 11
//@ says atomicExch
// the lock is given back by a plain store
__global__ void enter(int *door, int *n)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(door, 0, 1) != 0)
            ;
        __threadfence();
        n[0] = n[0] + 1;
        __threadfence();
#ifdef CURED
        atomicExch(door, 0);
#else
        *door = 0;
#endif
    }
}
