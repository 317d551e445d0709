// wrong: host-reads-while-loop-runs
// A tank is filled by a loop in a graph. The host looks at the level before the loop has ended.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                          \
    do {                                                                     \
        cudaError_t e = (call);                                              \
        if (e != cudaSuccess) {                                              \
            std::fprintf(stderr, "error %d in line %d\n", (int)e, __LINE__); \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

__global__ void pour(int *liters, int full, cudaGraphConditionalHandle more)
{
    *liters += 15;
    cudaGraphSetConditional(more, *liters < full);
}

int main()
{
    int *liters, full = 200;
    CHECK(cudaMallocManaged(&liters, sizeof *liters));
    *liters = 20;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaGraphConditionalHandle more;
    cudaGraphNode_t loop, step;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&more, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = more;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 1;
    CHECK(cudaGraphAddNode(&loop, graph, nullptr, nullptr, 0, &p));
    void *args[] = {&liters, &full, &more};
    cudaKernelNodeParams k = {};
    k.func = (void *)pour;
    k.gridDim = dim3(1);
    k.blockDim = dim3(1);
    k.kernelParams = args;
    CHECK(cudaGraphAddKernelNode(&step, p.conditional.phGraph_out[0], nullptr, 0, &k));
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    CHECK(cudaGraphLaunch(run, 0));
    std::printf("the tank has %d liters\n", *liters); // HERE
    CHECK(cudaDeviceSynchronize());
    std::printf("now it has %d\n", *liters);
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(liters));
    return 0;
}
