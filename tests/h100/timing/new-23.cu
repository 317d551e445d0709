// SPDX-License-Identifier: GPL-3.0-or-later
// Does one step of a breadth-first search in a random graph with eight edges a vertex. A quarter
// of the vertices is in the frontier. The next frontier is a set of bits.
//: small   array edge u32 16384 random:0:2047; array frontier u8 2048 random:0:3; array visited u8 2048 random:0:1; array next u32 64 zero; launch bfs<<<8, 256>>>(next, edge, frontier, visited, 2048)
//: middle  array edge u32 524288 random:0:65535; array frontier u8 65536 random:0:3; array visited u8 65536 random:0:1; array next u32 2048 zero; launch bfs<<<256, 256>>>(next, edge, frontier, visited, 65536)
//: large   array edge u32 33554432 random:0:4194303; array frontier u8 4194304 random:0:3; array visited u8 4194304 random:0:1; array next u32 131072 zero; launch bfs<<<16384, 256>>>(next, edge, frontier, visited, 4194304)

__global__ void bfs(unsigned *next, const unsigned *edge, const unsigned char *frontier,
                    const unsigned char *visited, int n)
{
    int u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n || frontier[u] != 0)
        return;
    for (int e = 0; e < 8; e++) {
        unsigned v = edge[8 * u + e];
        if (!visited[v])
            atomicOr(&next[v / 32], 1u << v % 32);
    }
}
