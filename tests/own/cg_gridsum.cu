// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! variable total i32 2
//! array x i32 1000 random:0:99
//! array share i32 1000
//! array u f32 320 iota
//! array v f32 320
//! launch sumThenUse<<<6,64>>>(x, share, 1000)
//! launch relax<<<5,64>>>(u, v, 6)
//! expect total
//! expect share
//! expect u
#include <cooperative_groups.h>
using namespace cooperative_groups;

__device__ int total[2];

// phase 1: the sum of all; phase 2: everyone uses it
__global__ void sumThenUse(const int *x, int *share, int n)
{
    grid_group g = this_grid();
    int sum = 0;
    for (unsigned long long i = g.thread_rank(); i < n; i += g.size())
        sum += x[i];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&total[0], sum);
    g.sync();
    int all = total[0];
    for (unsigned long long i = g.thread_rank(); i < n; i += g.size())
        share[i] = x[i] * 10000 / all;
    g.sync();
    if (g.thread_rank() == g.size() - 1)
        total[1] = share[0] + share[n - 1];
}

// means of three neighbours on a ring of numbers that stay whole: sums only
__global__ void relax(float *u, float *v, int rounds)
{
    grid_group g = this_grid();
    int n = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        v[i] = u[(i + n - 1) % n] - u[i] + u[(i + 1) % n];
        g.sync();
        u[i] = v[i];
        g.sync();
    }
}
