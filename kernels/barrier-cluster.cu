/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barriers of a cluster, for compute capability 9.0: older cards have no clusters. The work is
 * as in barrier.cu. A thread stores its number, waits, and takes its partner's number. The
 * partner is in another block, so the number is in the shared memory of that block.
 */

//: used by all
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define MAX_BLKSZ 1024   /* the maximum number of threads in a block */
#define CLUSTER 4        /* the number of blocks in a cluster */

//: variant cluster
/* Two barriers: one before the first number is taken, and one before the first block ends. */
extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) barrier_cluster(int *found)
{
    __shared__ int left[MAX_BLKSZ];
    cg::cluster_group cluster = cg::this_cluster();
    int me = threadIdx.x, partner = CLUSTER - 1 - cluster.block_rank();

    left[me] = cluster.thread_rank() + 1;
    cluster.sync();
    const int *theirs = cluster.map_shared_rank(left, partner);
    found[blockDim.x * blockIdx.x + me] = theirs[blockDim.x - 1 - me];
    cluster.sync();   /* the shared memory of a block ends with the block */
}

//: variant cluster-nosync
/* WRONG: __syncthreads() waits for one block only. The other block may not have started. */
extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) barrier_cluster_nosync(int *found)
{
    __shared__ int left[MAX_BLKSZ];
    cg::cluster_group cluster = cg::this_cluster();
    int me = threadIdx.x, partner = CLUSTER - 1 - cluster.block_rank();

    left[me] = cluster.thread_rank() + 1;
    __syncthreads();
    const int *theirs = cluster.map_shared_rank(left, partner);
    found[blockDim.x * blockIdx.x + me] = theirs[blockDim.x - 1 - me];
    cluster.sync();
}

//: variant cluster-noend
/* WRONG: a block can end while another block still takes its numbers. */
extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) barrier_cluster_noend(int *found)
{
    __shared__ int left[MAX_BLKSZ];
    cg::cluster_group cluster = cg::this_cluster();
    int me = threadIdx.x, partner = CLUSTER - 1 - cluster.block_rank();

    left[me] = cluster.thread_rank() + 1;
    cluster.sync();
    const int *theirs = cluster.map_shared_rank(left, partner);
    found[blockDim.x * blockIdx.x + me] = theirs[blockDim.x - 1 - me];
}
