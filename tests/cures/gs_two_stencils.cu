// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x f32 1024 random; array y f32 1024 zero; array z f32 1024 zero; launch smoothTwice<<<8, 128>>>(x, y, z, 1024)
//@ kind race-global
//@ cure grid-sync
//@ place between
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ float avg3(const float *v, int i, int n)
{
    float l = v[i > 0 ? i - 1 : i];
    float r = v[i < n - 1 ? i + 1 : i];
    return (l + v[i] + r) / 3.0f;
}

__global__ void smoothTwice(const float *x, float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = avg3(x, i, n);
#ifdef CURED
    cg::this_grid().sync();
#else
    cg::this_thread_block().sync();
#endif
    if (i < n)
        z[i] = avg3(y, i, n);
}
