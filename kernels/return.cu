/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a kernel hands back a result: it is void, so it can only leave it in memory.
 */

//: variant copy managed hostptr
/* Whose memory sum_p points to is the host's affair.  WRONG if it is the host's own. */
extern "C" __global__ void return_pointer(const int x, const int y, int *sum_p)
{
    *sum_p = x + y;
}

//: variant global
/* A variable of the device: the host copies it by its name. */
__device__ int sum;

extern "C" __global__ void return_global(const int x, const int y)
{
    sum = x + y;
}
