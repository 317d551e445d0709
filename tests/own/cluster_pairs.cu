// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array v i32 1000 random:-9999:9999
//! array best i32 3
//! launch largest<<<6,96>>>(v, 1000, best)
//! expect best
// Pairs of blocks find the largest of what each sees; dynamic loops, ends of different lengths, and
// threads that have nothing to do and still come to the barrier.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int larger(int a, int b) { return a > b ? a : b; }

__global__ __cluster_dims__(2) void largest(const int *v, int n, int *best)
{
    __shared__ int top;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        top = -100000;
    cluster.sync();
    int pair = blockIdx.x / 2, mine = -100000;
    for (int i = pair + 3 * cluster.thread_rank(); i < n; i += 3 * cluster.num_threads())
        mine = larger(mine, v[i]);
    atomicMax(cluster.map_shared_rank(&top, 1), mine);
    cluster.sync();
    if (cluster.block_rank() == 1 && threadIdx.x == 0)
        best[pair] = top;
}
