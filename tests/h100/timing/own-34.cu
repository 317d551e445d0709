// SPDX-License-Identifier: GPL-3.0-or-later
// One step of shortest paths over a list of edges: each edge offers its target a distance, and an
// atomic minimum keeps the best one.
//: small   array from u32 16384 random:0:1023; array to u32 16384 random:0:1023; array w u32 16384 random:1:100; array dist u32 1024 random:0:10000; array best u32 1024 value:4000000000; launch relax<<<64, 256>>>(from, to, w, dist, best, 16384)
//: middle  array from u32 524288 random:0:32767; array to u32 524288 random:0:32767; array w u32 524288 random:1:100; array dist u32 32768 random:0:10000; array best u32 32768 value:4000000000; launch relax<<<2048, 256>>>(from, to, w, dist, best, 524288)
//: large   array from u32 16777216 random:0:4194303; array to u32 16777216 random:0:4194303; array w u32 16777216 random:1:100; array dist u32 4194304 random:0:10000; array best u32 4194304 value:4000000000; launch relax<<<65536, 256>>>(from, to, w, dist, best, 16777216)

__global__ void relax(const unsigned *from, const unsigned *to, const unsigned *w,
                      const unsigned *dist, unsigned *best, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < edges)
        atomicMin(&best[to[e]], dist[from[e]] + w[e]);
}
