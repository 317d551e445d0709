// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array lock i32 1 zero; array count i32 1 zero; launch visit<<<4, 64>>>(lock, count)
//@ kind race-global
//@ cure fence
//@ line 17
//@ says __threadfence
// a lock that is taken and given back without fences
__device__ void fence()
{
#ifdef CURED
    __threadfence();
#endif
}
__global__ void visit(int *lock, int *count)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        fence();
        count[0] = count[0] + 1;
        fence();
        atomicExch(lock, 0);
    }
}
