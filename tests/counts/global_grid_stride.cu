// SPDX-License-Identifier: GPL-3.0-or-later
// Each thread goes on by the size of the grid until the n-th element.
// launch 3 96
extern "C" __global__ void global_grid_stride(const int *in, int *out, int n)
{
    for (int i = blockIdx.x * 96 + threadIdx.x; i < n; i += 3 * 96)
        out[i] = in[i] * 2 + in[i + 1];
}
