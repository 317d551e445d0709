// The bodies of conditional nodes are captured from a stream, and a conditional node is put into a
// capture itself. Then copies of the graph, what is asked about nodes, and a text for `dot`.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t error = (call);                                                              \
        if (error != cudaSuccess) {                                                              \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));                          \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

const int N = 96;

__global__ void add(int *v, int n) { v[threadIdx.x] += n; }
__global__ void sum(const int *v, int *total)
{
    __shared__ int part;
    if (threadIdx.x == 0)
        part = 0;
    __syncthreads();
    atomicAdd(&part, v[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        *total = part;
}
__global__ void is_small(const int *total, int most, cudaGraphConditionalHandle handle)
{
    cudaGraphSetConditional(handle, *total < most);
}

static cudaGraph_t capture_condition(cudaStream_t stream, cudaGraphConditionalHandle handle,
                                     cudaGraphConditionalNodeType type)
{
    cudaStreamCaptureStatus status;
    cudaGraph_t graph;
    const cudaGraphNode_t *before;
    const cudaGraphEdgeData *edges;
    size_t count;
    CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, &edges, &count));
    cudaGraphNode_t node;
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = handle;
    p.conditional.type = type;
    p.conditional.size = 1;
    CHECK(cudaGraphAddNode(&node, graph, before, edges, count, &p));
    CHECK(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                              cudaStreamSetCaptureDependencies));
    return p.conditional.phGraph_out[0];
}

int main()
{
    int *v, *total, host[N], result;
    CHECK(cudaMalloc(&v, sizeof host));
    CHECK(cudaMalloc(&total, sizeof *total));
    int least, greatest;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t stream, inner;
    CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamCreateWithFlags(&inner, cudaStreamNonBlocking));

    cudaGraph_t graph, body;
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    CHECK(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                        cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(v, 0, sizeof host, stream));
    add<<<1, N, 0, stream>>>(v, 1);
    sum<<<1, N, 0, stream>>>(v, total);
    is_small<<<1, 1, 0, stream>>>(total, 1000, handle);
    body = capture_condition(stream, handle, cudaGraphCondTypeWhile);
    add<<<1, N, 0, stream>>>(v, 100);
    CHECK(cudaStreamEndCapture(stream, &graph));

    CHECK(cudaStreamBeginCaptureToGraph(inner, body, nullptr, nullptr, 0,
                                        cudaStreamCaptureModeGlobal));
    add<<<1, N, 0, inner>>>(v, 3);
    sum<<<1, N, 0, inner>>>(v, total);
    is_small<<<1, 1, 0, inner>>>(total, 1000, handle);
    CHECK(cudaStreamEndCapture(inner, nullptr)); // the program has the graph already

    size_t nodes = 0, edges = 0, in_body = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    CHECK(cudaGraphGetNodes(body, nullptr, &in_body));
    printf("%zu nodes, %zu edges, %zu nodes in the body\n", nodes, edges, in_body);
    cudaGraphNode_t list[6];
    CHECK(cudaGraphGetNodes(graph, list, &nodes));
    int kernels = 0, conditional = 0, urgent = 0;
    for (size_t i = 0; i < nodes; i++) {
        cudaGraphNodeType type;
        CHECK(cudaGraphNodeGetType(list[i], &type));
        conditional += type == cudaGraphNodeTypeConditional;
        if (type != cudaGraphNodeTypeKernel)
            continue;
        cudaLaunchAttributeValue value;
        CHECK(cudaGraphKernelNodeGetAttribute(list[i], cudaLaunchAttributePriority, &value));
        kernels++;
        urgent += value.priority == greatest;
    }
    printf("%d kernels, %d of them urgent, %d conditional\n", kernels, urgent, conditional);

    CHECK(cudaGraphDebugDotPrint(graph, "graph-bodies.dot", cudaGraphDebugDotFlagsVerbose));
    FILE *dot = fopen("graph-bodies.dot", "r");
    char line[4096] = "";
    if (dot && fgets(line, sizeof line, dot))
        printf("a text for dot: %s\n", strncmp(line, "digraph", 7) == 0 ? "yes" : "no");
    if (dot)
        fclose(dot);
    remove("graph-bodies.dot");

    cudaGraphExec_t run;
    cudaGraphInstantiateParams how = {};
    CHECK(cudaGraphInstantiateWithParams(&run, graph, &how));
    CHECK(cudaGraphUpload(run, stream));
    for (int i = 0; i < 2; i++) {
        CHECK(cudaGraphLaunch(run, stream));
        CHECK(cudaMemcpyAsync(host, v, sizeof host, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaMemcpyAsync(&result, total, sizeof result, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamSynchronize(stream));
        printf("each %d, the sum before it %d\n", host[0], result);
    }
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(graph));
    printf("no memory is no mistake: %s\n", cudaGetErrorName(cudaFreeAsync(nullptr, stream)));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaStreamDestroy(inner));
    CHECK(cudaFree(v));
    CHECK(cudaFree(total));
    return 0;
}
