// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array where i32 128
//! array got i32 64
//! launch places<<<(4,4),32>>>(where, got)
//! expect where
//! expect got
// Where each block is, in its cluster and its cluster in the grid; and what PTX has for the shared
// memory of other blocks.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ unsigned explicitly()
{
    unsigned yes;
    asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(yes));
    return yes;
}

__global__ void __cluster_dims__(2, 2, 1) places(int *where, int *got)
{
    __shared__ int left[32];
    cg::cluster_group cluster = cg::this_cluster();
    int block = blockIdx.y * gridDim.x + blockIdx.x, me = threadIdx.x;
    unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
    unsigned mine = (unsigned)__cvta_generic_to_shared(&left[me]), theirs, owner, old, value, kind;

    left[me] = 100 * block + me;
    cluster.sync();
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(theirs) : "r"(mine), "r"(next));
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(owner) : "r"(theirs));
    asm volatile("atom.shared::cluster.add.u32 %0, [%1], 7;" : "=r"(old) : "r"(theirs) : "memory");
    cluster.sync();
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(theirs) : "memory");
    asm volatile("{ .reg .pred p, q; isspacep.shared::cluster p, %1; isspacep.shared::cta q, %2;"
                 " .reg .u32 a, b; selp.u32 a, 1, 0, p; selp.u32 b, 2, 0, q; add.u32 %0, a, b; }"
                 : "=r"(kind) : "l"(cluster.map_shared_rank(left, next)), "l"(left));
    cluster.sync();
    if (me == 9) {
        int *g = got + 4 * block;
        g[0] = old, g[1] = value, g[2] = owner, g[3] = kind;
    }
    if (me == 0) {
        int *w = where + 8 * block;
        dim3 in = cluster.block_index(), size = cluster.dim_blocks();
        w[0] = rank, w[1] = cluster.num_blocks(), w[2] = in.x + 10 * in.y + 100 * in.z;
        w[3] = size.x + 10 * size.y + 100 * size.z;
        w[4] = __clusterIdx().x + 10 * __clusterIdx().y;
        w[5] = __clusterGridDimInClusters().x + 10 * __clusterGridDimInClusters().y;
        w[6] = explicitly(), w[7] = cluster.num_threads();
    }
}
