/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hello, world: every thread prints a line. The device collects the lines. The host prints them
 * when it waits for the kernel. A program that ends without waiting prints nothing.
 */

//: variant hello
extern "C" __global__ void hello(void)
{
    printf("Hello from thread %u of block %u\n", threadIdx.x, blockIdx.x);
}

//: variant hello3d
/* A block has three coordinates in the grid, and a thread has three in its block. */
extern "C" __global__ void hello3d(void)
{
    printf("Hello from thread (%u,%u,%u) of block (%u,%u,%u)\n", threadIdx.x, threadIdx.y,
           threadIdx.z, blockIdx.x, blockIdx.y, blockIdx.z);
}
