// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array ready i32 1 zero; array data i32 2 zero; launch passOn<<<2, 32>>>(ready, data)
//@ kind race-global
//@ cure fence
//@ line 19
//@ says __threadfence
// block 0 says that its number is there, and block 1 waits for that
__global__ void passOn(int *ready, int *data)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 42;
#ifdef CURED
        __threadfence();
#endif
        atomicExch(ready, 1);
    } else {
        while (atomicAdd(ready, 0) == 0)
            ;
#ifdef CURED
        __threadfence();
#endif
        data[1] = data[0];
    }
}
