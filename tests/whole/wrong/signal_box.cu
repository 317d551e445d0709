// wrong: condition-set-twice
// A railway signal: two kernels look at the track, and both decide whether the train may go on.
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

__global__ void look_left(const int *track, cudaGraphConditionalHandle go)
{
    cudaGraphSetConditional(go, track[0] == 0);
}

__global__ void look_right(const int *track, cudaGraphConditionalHandle go)
{
    cudaGraphSetConditional(go, track[1] == 0);
}

__global__ void drive(int *train) { *train += 10; }

static cudaGraphNode_t add(cudaGraph_t graph, void *kernel, void **args)
{
    cudaGraphNode_t node;
    cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = dim3(1);
    p.blockDim = dim3(1);
    p.kernelParams = args;
    CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p)); // HERE
    return node;
}

int main()
{
    const int tracks[2] = {0, 1};
    int *track, *train, place = 0;
    CHECK(cudaMalloc(&track, sizeof tracks));
    CHECK(cudaMalloc(&train, sizeof *train));
    CHECK(cudaMemcpy(track, tracks, sizeof tracks, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(train, &place, sizeof place, cudaMemcpyHostToDevice));

    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaGraphConditionalHandle go;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&go, graph, 0, cudaGraphCondAssignDefault));
    void *args[] = {&track, &go}, *train_args[] = {&train};
    cudaGraphNode_t before[2] = {add(graph, (void *)look_left, args),
                                 add(graph, (void *)look_right, args)};
    cudaGraphNode_t signal;
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = go;
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 1;
    CHECK(cudaGraphAddNode(&signal, graph, before, nullptr, 2, &p));
    add(p.conditional.phGraph_out[0], (void *)drive, train_args);

    CHECK(cudaGraphInstantiate(&run, graph, 0));
    CHECK(cudaGraphLaunch(run, 0));
    CHECK(cudaMemcpy(&place, train, sizeof place, cudaMemcpyDeviceToHost));
    std::printf("the train is at %d\n", place);
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(track));
    CHECK(cudaFree(train));
    return 0;
}
