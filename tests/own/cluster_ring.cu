// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array in f32 256 random
//! array out f32 256
//! launch ring<<<(4,2),32>>>(in, out, 7)
//! expect out
// Values travel round a ring of four blocks, two by two, in two buffers; each adds a half of what
// comes to what it has.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 2, 1) ring(const float *in, float *out, int rounds)
{
    __shared__ float inbox[2][32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * 32 + threadIdx.x;
    float have = in[i];
    cluster.sync();
    for (int k = 0; k < rounds; k++) {
        float *there = cluster.map_shared_rank(&inbox[k % 2][0], next);
        there[threadIdx.x] = have;
        cluster.sync();
        have = inbox[k % 2][threadIdx.x] * 0.5f + have * 0.25f;
    }
    out[i] = have;
}
