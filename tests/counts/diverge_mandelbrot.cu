// SPDX-License-Identifier: GPL-3.0-or-later
// Points leave the iteration at different times; whole numbers, 12 bits of fraction.
// launch 2x2 8x8
extern "C" __global__ void diverge_mandelbrot(const int *in, int *out, int n)
{
    int px = blockIdx.x * 8 + threadIdx.x, py = blockIdx.y * 8 + threadIdx.y, k = 0;
    int cx = px * 768 - 8192, cy = py * 512 - 4096, x = 0, y = 0;
#pragma unroll 1
    while (k < 40 && x / 64 * (x / 64) + y / 64 * (y / 64) < 4 << 12) {
        int next = ((x >> 6) * (x >> 6) - (y >> 6) * (y >> 6)) + cx;
        y = 2 * (x >> 6) * (y >> 6) + cy;
        x = next;
        out[256 + py * 16 + px] = x;
        k++;
    }
    out[py * 16 + px] = k;
}
