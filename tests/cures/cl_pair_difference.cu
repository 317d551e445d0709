// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 512 iota; array out i32 512 zero; launch pairDiff<<<4, 128>>>(x, out)
//@ kind race-shared
//@ cure cluster-sync
//@ place between
//@ arch 90
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// two blocks of a cluster look into each other's shared memory
__global__ void __cluster_dims__(2, 1, 1) pairDiff(const int *x, int *out)
{
    __shared__ int mine[128];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    mine[t] = x[i];
#ifdef CURED
    cluster.sync();
#else
    __syncthreads();
#endif
    const int *other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
    out[i] = mine[t] - other[127 - t];

    cluster.sync();     // nobody leaves while the other one still reads
}
