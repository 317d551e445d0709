/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * y = 2 x, for the lab that asks nobody whether it worked.  The kernels are right; what is wrong
 * comes from the host: a block that is too large, a pointer that was never set, an element that
 * should not be.
 */
#include <assert.h>

//: variant checked badconfig nosync async
extern "C" __global__ void twice(int *y, const int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = 2 * x[i];
}

//: used by async
/* The same, with a word on what it takes for granted: no element is below 0. */
extern "C" __global__ void twice_assert(int *y, const int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        assert(x[i] >= 0);
        y[i] = 2 * x[i];
    }
}

extern "C" __global__ void twice_trap(int *y, const int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        if (x[i] < 0)
            __trap();
        y[i] = 2 * x[i];
    }
}
