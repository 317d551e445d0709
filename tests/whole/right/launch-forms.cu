// Launches by a configuration: clusters, grids that wait for each other, and what is refused.
// arch: 90
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void ring(int *out)
{
    __shared__ int mine;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        mine = 10 * blockIdx.x;
    cluster.sync();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    if (threadIdx.x == 0)
        out[blockIdx.x] = *cluster.map_shared_rank(&mine, next);
    cluster.sync();
}

__global__ void total(int *parts, int *sum)
{
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0)
        parts[blockIdx.x] = blockIdx.x + 1;
    grid.sync();
    if (grid.thread_rank() == 0)
        for (int i = 0; i < gridDim.x; ++i)
            *sum += parts[i];
}

static void show(const char *what, cudaError_t e)
{
    std::printf("%s: %s\n", what, cudaGetErrorName(e));
    cudaGetLastError();
}

int main()
{
    int *parts, *sum, host[8], result = 0;
    cudaMalloc(&parts, sizeof host);
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);

    cudaLaunchAttribute how[2] = {};
    how[0].id = cudaLaunchAttributeClusterDimension;
    how[0].val.clusterDim.x = 4;
    how[0].val.clusterDim.y = how[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t c = {};
    c.gridDim = dim3(8);
    c.blockDim = dim3(32);
    c.attrs = how;
    c.numAttrs = 1;
    show("clusters of four", cudaLaunchKernelEx(&c, ring, parts));
    cudaMemcpy(host, parts, sizeof host, cudaMemcpyDeviceToHost);
    for (int v : host)
        std::printf(" %d", v);
    std::printf("\n");
    int largest = 0;
    show("ask for the largest", cudaOccupancyMaxPotentialClusterSize(&largest, ring, &c));
    std::printf("%d blocks\n", largest);

    how[0].id = cudaLaunchAttributeCooperative;
    how[0].val.cooperative = 1;
    how[1].id = cudaLaunchAttributePriority;
    how[1].val.priority = 0;
    c.numAttrs = 2;
    show("all blocks wait for each other", cudaLaunchKernelEx(&c, total, parts, sum));
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("sum %d\n", result);

    void *args[] = {&parts, &sum};
    show("too many blocks for that",
         cudaLaunchCooperativeKernel((void *)total, dim3(100000), dim3(32), args, 0, nullptr));
    const char *name = nullptr;
    size_t offset = 0, size = 0;
    cudaFuncGetParamInfo((void *)total, 1, &offset, &size);
    show("its name", cudaFuncGetName(&name, (void *)total));
    std::printf("%s, parameter 1 has %zu bytes from byte %zu on\n", name, size, offset);
    cudaFree(parts);
    cudaFree(sum);
    return 0;
}
