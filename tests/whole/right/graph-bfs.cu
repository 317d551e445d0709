// Breadth-first search by frontier. The edges are linked lists in managed memory.
#include <cstdio>
#include <cuda_runtime.h>

const int NODES = 90;

struct Edge {
    int to;
    Edge *next;
};

__managed__ Edge *first_edge[NODES];
__managed__ int level[NODES];
__managed__ int frontier[2][NODES];
__managed__ int frontier_size[2];

__global__ void expand(int now, int depth)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= frontier_size[now])
        return;
    int node = frontier[now][i];
    for (Edge *e = first_edge[node]; e != nullptr; e = e->next) {
        // Only one thread may take the node.
        if (atomicCAS(&level[e->to], -1, depth) == -1) {
            int at = atomicAdd(&frontier_size[1 - now], 1);
            frontier[1 - now][at] = e->to;
        }
    }
}

// One thread walks along a list and counts its items.
__global__ void list_lengths(int *longest)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= NODES)
        return;
    int length = 0;
    for (Edge *e = first_edge[i]; e; e = e->next)
        ++length;
    atomicMax(longest, length);
}

__managed__ int longest = 0;

static Edge *pool;
static int used = 0;

static void connect(int a, int b)
{
    Edge *e = &pool[used++];
    e->to = b;
    e->next = first_edge[a];
    first_edge[a] = e;
}

int main()
{
    if (cudaMallocManaged(&pool, 4 * NODES * sizeof(Edge)) != cudaSuccess)
        return 1;
    for (int i = 0; i < NODES; ++i) {
        first_edge[i] = nullptr;
        level[i] = -1;
    }
    // A tree with some extra edges. The last five nodes stay alone.
    const int linked = NODES - 5;
    for (int i = 1; i < linked; ++i) {
        connect((i - 1) / 3, i);
        if (i % 10 == 0)
            connect(i, (i * 7) % linked);
    }

    level[0] = 0;
    frontier[0][0] = 0;
    frontier_size[0] = 1;
    int now = 0, depth = 0;
    while (frontier_size[now] > 0) {
        std::printf("level %d: %d nodes\n", depth, frontier_size[now]);
        int next = 1 - now;
        frontier_size[next] = 0;
        ++depth;
        expand<<<(frontier_size[now] + 31) / 32, 32>>>(now, depth);
        if (cudaDeviceSynchronize() != cudaSuccess)
            return 1;
        now = next;
    }

    list_lengths<<<3, 32>>>(&longest);
    cudaDeviceSynchronize();
    int lost = 0, sum = 0;
    for (int i = 0; i < NODES; ++i) {
        if (level[i] < 0)
            ++lost;
        else
            sum += level[i];
    }
    std::printf("edges: %d, longest list: %d\n", used, longest);
    std::printf("not reached: %d, sum of levels: %d\n", lost, sum);
    std::printf("levels of 5, 50, 84: %d %d %d\n", level[5], level[50], level[84]);
    cudaFree(pool);
    return 0;
}
