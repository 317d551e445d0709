/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * y = 2 x, for the lab without error checks. The kernels are right. The mistakes are on the
 * host: a block that is too large, a pointer that was never set, or an element with a wrong
 * value.
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
/* The same with an assertion: no element is below 0. */
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
