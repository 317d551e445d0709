// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 256 random; array out f32 256 zero; launch norms<<<4, 64>>>(x, out, 256)
//@ kind race-global
//@ cure grid-sync
//@ unsaid a lock or a flag
//@ says grid.sync\(\)
#include <cooperative_groups.h>
using namespace cooperative_groups;

__device__ float product;

__device__ float dot(const float *a, const float *b, int n, grid_group &grid)
{
    if (grid.thread_rank() == 0)
        product = 0;
    grid.sync();
    float sum = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        sum += a[i] * b[i];
    atomicAdd(&product, sum);
    grid.sync();
    float result = product;
#ifdef CURED
    grid.sync();
#endif
    return result;
}

__global__ void norms(float *x, float *out, int n)
{
    grid_group grid = this_grid();
    float first = dot(x, x, n, grid);
    float second = dot(x, out, n, grid);
    out[grid.thread_rank()] = first + second;
}
