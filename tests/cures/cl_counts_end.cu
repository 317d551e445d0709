// SPDX-License-Identifier: GPL-3.0-or-later
//@ launch array x i32 512 expr:i*5%64; array bins i32 64 zero; launch counts<<<4, 128, 64>>>(x, bins, 512)
//@ kind use-after-free
//@ cure cluster-end
//@ says cluster.sync\(\) before the end of the kernel
//@ unsaid malloc
//@ arch 90
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// A histogram of 64 bins: each block of the cluster has 16 of them in its shared memory.
__global__ void __cluster_dims__(4, 1, 1) counts(const int *x, int *bins, int n)
{
    extern __shared__ int part[];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (t < 16)
        part[t] = 0;
    cluster.sync();
    if (i < n)
        atomicAdd(cluster.map_shared_rank(part, x[i] / 16) + x[i] % 16, 1);
#ifdef CURED
    cluster.sync();
#else
    __syncthreads();
#endif
    if (t < 16)
        bins[cluster.block_rank() * 16 + t] = part[t];
}
