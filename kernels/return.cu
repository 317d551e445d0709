/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a kernel returns a result: it is void, so it can only store the result in memory.
 */

//: variant copy managed hostptr
/* The host chooses the memory of sum_p. It is WRONG if it is a variable of the host. */
extern "C" __global__ void return_pointer(const int x, const int y, int *sum_p)
{
    *sum_p = x + y;
}

//: variant global
/* A device variable: the host copies it by its name. */
__device__ int sum;

extern "C" __global__ void return_global(const int x, const int y)
{
    sum = x + y;
}
