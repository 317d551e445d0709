/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work that takes some time, so it can be measured. Each thread repeats a step with its own
 * number, as a random number generator does. There is no shorter way to the result.
 */

//: variant events wall-sync wall clock
extern "C" __global__ void work(unsigned *x, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        unsigned mine = x[i];
        for (int k = 0; k < rounds; k++)
            mine = (mine * 1664525u + 1013904223u) ^ (mine >> 15);
        x[i] = mine;
    }
}
