/* SPDX-License-Identifier: GPL-3.0-or-later */
/* barriers, fences, clocks, traps, assert, printf */
#include <assert.h>
#include <stdio.h>
__global__ void each(int *p, long long *t)
{
    __syncthreads();
    p[0] = __syncthreads_count(p[0] > 1) + __syncthreads_and(p[1]) + __syncthreads_or(p[2]);
    __threadfence(); __threadfence_block(); __threadfence_system();
    t[0] = clock() + clock64();
    __nanosleep(100);
    assert(p[1] > 0);
    printf("%d %f %s\n", p[0], 1.5, "text");
    p[1] = __isGlobal(p) + __isShared(p) + __isLocal(p) + __isConstant(p) + warpSize;
    if (p[2])
        __trap();
    int *q = (int *)malloc(8);
    free(q);
    __builtin_assume(p[0] > 3);
}
