// SPDX-License-Identifier: GPL-3.0-or-later
// A warp over four rows of eight, the rows 100 words apart.
// launch 2 8x8
extern "C" __global__ void global_pitch(const int *in, int *out, int n)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = threadIdx.y;
    out[y * 100 + x] = in[y * 100 + x] + in[(y + 1) * 100 + x + 1];
}
