/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barriers of a cluster: the kernels of the barrier lab that are compiled for compute capability
 * 9.0, since no card before has clusters. The work is that of barrier.cu: a thread leaves its
 * number, waits, and takes what its partner left, here in another block's shared memory.
 */

//: used by all
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define MAX_BLKSZ 1024   /* the most threads that a block can have */
#define CLUSTER 4        /* blocks that run side by side */

//: variant cluster
/* Two barriers: all numbers are there before one is taken, and no block ends before all are. */
extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) barrier_cluster(int *found)
{
    __shared__ int left[MAX_BLKSZ];
    cg::cluster_group cluster = cg::this_cluster();
    int me = threadIdx.x, partner = CLUSTER - 1 - cluster.block_rank();

    left[me] = cluster.thread_rank() + 1;
    cluster.sync();
    const int *theirs = cluster.map_shared_rank(left, partner);
    found[blockDim.x * blockIdx.x + me] = theirs[blockDim.x - 1 - me];
    cluster.sync();   /* shared memory ends with its block */
}

//: variant cluster-nosync
/* WRONG: __syncthreads() is for one block; the other may not have begun. */
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
/* WRONG: nothing keeps a block from ending while another takes its numbers. */
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
