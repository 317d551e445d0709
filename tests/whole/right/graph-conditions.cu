// A robot crosses a field. A graph decides on the device what it does next: it walks while there
// is fuel, and then one of several endings is chosen.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t error = (call);                                                              \
        if (error != cudaSuccess) {                                                              \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));                          \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

struct robot { int fuel, steps, turns, ending; };

__global__ void start(robot *r, int fuel)
{
    *r = robot{fuel, 0, 0, -1};
}

__global__ void walk(robot *r, cudaGraphConditionalHandle go_on, cudaGraphConditionalHandle turn)
{
    r->steps++;
    r->fuel -= 3;
    cudaGraphSetConditional(turn, r->steps % 4 == 0);
    cudaGraphSetConditional(go_on, r->fuel > 0);
}

__global__ void turn_around(robot *r) { r->turns++; }
__global__ void keep_on(robot *r) { r->fuel++; }
__global__ void choose(robot *r, cudaGraphConditionalHandle which)
{
    cudaGraphSetConditional(which, r->steps % 5);
}
__global__ void arrive(robot *r, int ending) { r->ending = ending; }

static cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t after, void *kernel, void **args)
{
    cudaGraphNode_t node;
    cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = dim3(1);
    p.blockDim = dim3(1);
    p.kernelParams = args;
    CHECK(cudaGraphAddKernelNode(&node, graph, after ? &after : nullptr, after ? 1 : 0, &p));
    return node;
}

static cudaGraphNode_t add_condition(cudaGraph_t graph, cudaGraphNode_t after,
                                     cudaGraphConditionalHandle handle,
                                     cudaGraphConditionalNodeType type, unsigned size,
                                     cudaGraph_t *bodies)
{
    cudaGraphNode_t node;
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = handle;
    p.conditional.type = type;
    p.conditional.size = size;
    CHECK(cudaGraphAddNode(&node, graph, after ? &after : nullptr, nullptr, after ? 1 : 0, &p));
    for (unsigned i = 0; i < size; i++)
        bodies[i] = p.conditional.phGraph_out[i];
    return node;
}

int main()
{
    robot *r, seen;
    CHECK(cudaMalloc(&r, sizeof *r));
    cudaGraph_t graph, body, sides[2], endings[3];
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle go_on, turn, which;
    CHECK(cudaGraphConditionalHandleCreate(&go_on, graph, 1, cudaGraphCondAssignDefault));
    CHECK(cudaGraphConditionalHandleCreate(&which, graph, 0, 0));

    int fuel = 20;
    void *start_args[] = {&r, &fuel};
    cudaGraphNode_t first = add_kernel(graph, nullptr, (void *)start, start_args);
    cudaGraphNode_t loop = add_condition(graph, first, go_on, cudaGraphCondTypeWhile, 1, &body);

    CHECK(cudaGraphConditionalHandleCreate(&turn, body, 0, 0));
    void *walk_args[] = {&r, &go_on, &turn};
    cudaGraphNode_t step = add_kernel(body, nullptr, (void *)walk, walk_args);
    add_condition(body, step, turn, cudaGraphCondTypeIf, 2, sides);
    void *robot_args[] = {&r};
    add_kernel(sides[0], nullptr, (void *)turn_around, robot_args);
    add_kernel(sides[1], nullptr, (void *)keep_on, robot_args);

    void *choose_args[] = {&r, &which};
    cudaGraphNode_t chosen = add_kernel(graph, loop, (void *)choose, choose_args);
    add_condition(graph, chosen, which, cudaGraphCondTypeSwitch, 3, endings);
    for (int i = 0; i < 3; i++) {
        int ending = 10 * (i + 1);
        void *args[] = {&r, &ending};
        add_kernel(endings[i], nullptr, (void *)arrive, args);
    }

    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(loop, &type));
    printf("a conditional node: %s\n", type == cudaGraphNodeTypeConditional ? "yes" : "no");
    cudaGraphExec_t run;
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    for (fuel = 8; fuel <= 20; fuel += 4) {
        cudaKernelNodeParams p = {};
        p.func = (void *)start;
        p.gridDim = dim3(1);
        p.blockDim = dim3(1);
        p.kernelParams = start_args;
        CHECK(cudaGraphExecKernelNodeSetParams(run, first, &p));
        CHECK(cudaGraphLaunch(run, 0));
        CHECK(cudaMemcpy(&seen, r, sizeof seen, cudaMemcpyDeviceToHost));
        printf("fuel %2d: %d steps, %d turns, %d left, ending %d\n", fuel, seen.steps, seen.turns,
               seen.fuel, seen.ending);
    }
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(r));
    return 0;
}
