/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work for one processor or for many. A processor is one block. The work is a number of items, and
 * each item is a calculation by the threads of a block.
 */

/* Block b takes the items first + b, first + b + gridDim.x, and so on. */
extern "C" __global__ void laws_work(unsigned *x, int first, int last, int rounds)
{
    for (int item = first + blockIdx.x; item < last; item += gridDim.x) {
        int i = blockDim.x * item + threadIdx.x;
        unsigned mine = i;

        for (int k = 0; k < rounds; k++)
            mine = (mine * 1664525u + 1013904223u) ^ (mine >> 15);
        x[i] = mine;
    }
}
