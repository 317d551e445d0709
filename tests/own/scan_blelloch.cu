// SPDX-License-Identifier: GPL-3.0-or-later
//! array data i32 2048 random:-20:30
//! array blocks i32 4
//! launch prescan<<<4,256,2304>>>(data, blocks)
//! launch scanBlocks<<<1,1>>>(blocks, 4)
//! launch addBlocks<<<4,512>>>(data, blocks)
//! expect data
//! expect blocks
// A work-efficient exclusive scan of 512 elements a block, the block sums on top.
#include <stdio.h>

#define PAD(n) ((n) + ((n) >> 5))

__global__ void prescan(int *g, int *sums)
{
    extern __shared__ int temp[];
    int t = threadIdx.x, n = 2 * blockDim.x, offset = 1;
    int *mine = g + blockIdx.x * n;
    temp[PAD(2 * t)] = mine[2 * t];
    temp[PAD(2 * t + 1)] = mine[2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {      // up
        __syncthreads();
        if (t < d) {
            int a = PAD(offset * (2 * t + 1) - 1);
            int b = PAD(offset * (2 * t + 2) - 1);
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    if (t == 0) {
        sums[blockIdx.x] = temp[PAD(n - 1)];
        temp[PAD(n - 1)] = 0;
    }
    for (int d = 1; d < n; d *= 2) {            // down
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = PAD(offset * (2 * t + 1) - 1);
            int b = PAD(offset * (2 * t + 2) - 1);
            int x = temp[a];
            temp[a] = temp[b];
            temp[b] += x;
        }
    }
    __syncthreads();
    mine[2 * t] = temp[PAD(2 * t)];
    mine[2 * t + 1] = temp[PAD(2 * t + 1)];
}

__global__ void scanBlocks(int *sums, int n)
{
    int run = 0;
    for (int i = 0; i < n; i++) {
        int s = sums[i];
        sums[i] = run;
        run += s;
    }
}

__global__ void addBlocks(int *g, const int *sums)
{
    g[blockIdx.x * blockDim.x + threadIdx.x] += sums[blockIdx.x];
}
