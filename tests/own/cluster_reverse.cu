// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array in i32 1024 random:-1000:1000
//! array out i32 1024
//! array who i32 1024
//! launch reverseInCluster<<<8,128>>>(in, out, who)
//! expect out
//! expect who
// Each cluster of four blocks turns its part of the array round, through shared memory.
#include <cooperative_groups.h>
#include <stdio.h>

namespace cg = cooperative_groups;

#define T 128

__global__ void __cluster_dims__(4, 1, 1) reverseInCluster(const int *in, int *out, int *who)
{
    __shared__ int part[T];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), n = cluster.num_blocks();
    int i = blockIdx.x * T + threadIdx.x;
    part[threadIdx.x] = in[i];
    cluster.sync();
    int *other = cluster.map_shared_rank(part, n - 1 - rank);
    out[i] = other[T - 1 - threadIdx.x];
    cluster.barrier_arrive();
    who[i] = cluster.thread_rank() + 1000 * cluster.query_shared_rank(other) +
             10000 * cluster.block_index().x + 100000 * cluster.dim_blocks().x +
             1000000 * (cluster.num_threads() / 256);
    cluster.barrier_wait();
}

int main()
{
    int h[1024], *in, *out, *who;
    for (int i = 0; i < 1024; i++)
        h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&who, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    reverseInCluster<<<8, T>>>(in, out, who);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[512]);
    return 0;
}
