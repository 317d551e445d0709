// SPDX-License-Identifier: GPL-3.0-or-later
// Threads in three dimensions.
// launch 2x2 4x4x4
extern "C" __global__ void global_cube(const int *in, int *out, int n)
{
    int x = blockIdx.x * 4 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = threadIdx.z;
    out[(z * 8 + y) * 8 + x] = in[(x * 8 + y) * 8 + z] + in[(z * 8 + x) * 8 + y];
}
