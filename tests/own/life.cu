// SPDX-License-Identifier: GPL-3.0-or-later
//! array a u8 768 random:0:1
//! array b u8 768
//! array c u8 768
//! array alive u32 24
//! launch life<<<(4,3),(8,8)>>>(a, b, 32, 24)
//! launch life<<<(4,3),(8,8)>>>(b, c, 32, 24)
//! launch population<<<24,32>>>(c, alive)
//! launch life<<<(2,6),(16,4)>>>(c, a, 32, 24)
//! expect a
//! expect b
//! expect alive
#include <cuda_runtime.h>

typedef unsigned char cell;

// the world is a torus
__device__ cell get(const cell *w, int x, int y, int width, int height)
{
    x = (x + width) % width;
    y = (y + height) % height;
    return w[y * width + x];
}

__global__ void life(const cell *now, cell *next, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int n = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0)
                continue;
            n += get(now, x + dx, y + dy, width, height);
        }
    }
    cell old = now[y * width + x];
    if (old == 1 && (n < 2 || n > 3))
        next[y * width + x] = 0;
    else if (old == 0 && n == 3)
        next[y * width + x] = 1;
    else
        next[y * width + x] = old;
}

// a row of 32 cells as the bits of one word
__global__ void population(const cell *w, unsigned *rows)
{
    unsigned bits = __ballot_sync(0xffffffff, w[blockIdx.x * 32 + threadIdx.x]);
    if (threadIdx.x == 0)
        rows[blockIdx.x] = bits;
}
