// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array flag i32 8 zero; array x i32 8 zero; launch chain<<<8, 32>>>(flag, x)
//@ kind race-global
//@ cure atomic
//@ says waits in a loop for a lock or a flag
//@ unsaid second array
// Each block adds 1 to the result of the block before it. The compiler reads a plain flag only once.
__global__ void chain(int *flag, int *x)
{
    int b = blockIdx.x;
    if (threadIdx.x != 0)
        return;
#ifdef CURED
    if (b > 0) {
        while (atomicAdd(&flag[b - 1], 0) == 0)
            ;
        __threadfence();
    }
    x[b] = b ? x[b - 1] + 1 : 1;
    __threadfence();
    atomicExch(&flag[b], 1);
#else
    if (b > 0)
        while (flag[b - 1] == 0)
            ;
    x[b] = b ? x[b - 1] + 1 : 1;
    flag[b] = 1;
#endif
}
