// SPDX-License-Identifier: GPL-3.0-or-later
// The game of life on a torus of 16 by 16.
// launch 2x2 8x8
extern "C" __global__ void stencil_life(const int *in, int *out, int n)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, near = 0;
#pragma unroll 1
    for (int dy = -1; dy <= 1; dy++)
#pragma unroll 1
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0)
                near += in[((y + dy) & 15) * 16 + ((x + dx) & 15)] & 1;
    out[y * 16 + x] = near == 3 || (near == 2 && (in[y * 16 + x] & 1));
}
