// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array data i32 5000 random:0:511
//! array bins i32 512 zero
//! launch histogram<<<16,64>>>(data, 5000, bins)
//! expect bins
// A histogram whose bins lie in the shared memory of a cluster's eight blocks, 64 in each.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(8, 1, 1) histogram(const int *data, int n, int *bins)
{
    __shared__ int mine[64];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = 0;
    cluster.sync();
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
        int *there = cluster.map_shared_rank(mine, data[i] / 64);
        atomicAdd(&there[data[i] % 64], 1);
    }
    cluster.sync();
    atomicAdd(&bins[cluster.block_rank() * 64 + threadIdx.x], mine[threadIdx.x]);
}
