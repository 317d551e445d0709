// wrong: graph-edge-missing
// Water for the beds of a garden, planned as a graph: two kernels work on the same array.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                          \
    do {                                                                     \
        cudaError_t e = (call);                                              \
        if (e != cudaSuccess) {                                              \
            std::fprintf(stderr, "error %d in line %d\n", (int)e, __LINE__); \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

constexpr int BEDS = 64;

__global__ void rain(int *liters) { liters[threadIdx.x] += 5; }
__global__ void dry(int *liters) { liters[threadIdx.x] -= (int)threadIdx.x % 3; }

static cudaKernelNodeParams launch_of(void (*kernel)(int *), void **args)
{
    cudaKernelNodeParams p = {};
    p.func = (void *)kernel;
    p.gridDim = 1;
    p.blockDim = BEDS;
    p.kernelParams = args;
    return p;
}

int main()
{
    int *liters, host[BEDS];
    cudaGraph_t graph;
    cudaGraphExec_t plan;
    cudaGraphNode_t zero, rains, dries;
    CHECK(cudaMalloc(&liters, sizeof host));
    CHECK(cudaGraphCreate(&graph, 0));

    cudaMemsetParams fill = {};
    fill.dst = liters;
    fill.elementSize = sizeof(int);
    fill.width = BEDS;
    fill.height = 1;
    CHECK(cudaGraphAddMemsetNode(&zero, graph, nullptr, 0, &fill));

    void *args[] = {&liters};
    const cudaKernelNodeParams first = launch_of(rain, args), second = launch_of(dry, args);
    CHECK(cudaGraphAddKernelNode(&rains, graph, &zero, 1, &first));   // OR HERE
    CHECK(cudaGraphAddKernelNode(&dries, graph, &zero, 1, &second));  // HERE

    CHECK(cudaGraphInstantiate(&plan, graph, 0));
    CHECK(cudaGraphLaunch(plan, 0));
    CHECK(cudaMemcpy(host, liters, sizeof host, cudaMemcpyDeviceToHost));
    int sum = 0;
    for (int i = 0; i < BEDS; i++)
        sum += host[i];
    std::printf("liters: %d\n", sum);

    CHECK(cudaGraphExecDestroy(plan));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(liters));
    return 0;
}
