// Capture two streams into one graph; change, copy and update what was captured.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CK(x)                                                                \
    do {                                                                     \
        cudaError_t e = (x);                                                 \
        if (e != cudaSuccess) {                                              \
            std::printf("%s: %s\n", #x, cudaGetErrorName(e));                \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

__global__ void add(int *v, int k) { v[threadIdx.x] += k; }
__global__ void both(const int *a, const int *b, int *sum) { sum[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }

static void count_up(void *data) { ++*static_cast<int *>(data); }

int main()
{
    int *a, *b, *sum, host[32], calls = 0;
    CK(cudaMalloc(&a, sizeof host));
    CK(cudaMalloc(&b, sizeof host));
    CK(cudaMalloc(&sum, sizeof host));
    cudaStream_t one, two;
    cudaEvent_t fork, join;
    CK(cudaStreamCreate(&one));
    CK(cudaStreamCreate(&two));
    CK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

    cudaGraph_t graph, clone;
    cudaStreamCaptureStatus status;
    CK(cudaStreamIsCapturing(one, &status));
    std::printf("before: %d\n", status == cudaStreamCaptureStatusNone);
    CK(cudaStreamBeginCapture(one, cudaStreamCaptureModeThreadLocal));
    CK(cudaMemsetAsync(a, 0, sizeof host, one));
    CK(cudaEventRecord(fork, one));
    CK(cudaStreamWaitEvent(two, fork, 0));
    CK(cudaStreamIsCapturing(two, &status));
    std::printf("the second stream too: %d\n", status == cudaStreamCaptureStatusActive);
    CK(cudaMemsetAsync(b, 0, sizeof host, two));
    add<<<1, 32, 0, one>>>(a, 3);
    add<<<1, 32, 0, two>>>(b, 4);
    CK(cudaEventRecord(join, two));
    CK(cudaStreamWaitEvent(one, join, 0));
    both<<<1, 32, 0, one>>>(a, b, sum);
    CK(cudaLaunchHostFunc(one, count_up, &calls));
    CK(cudaStreamEndCapture(one, &graph));
    CK(cudaStreamIsCapturing(two, &status));
    std::printf("after: %d\n", status == cudaStreamCaptureStatusNone);

    size_t nodes = 0, edges = 0, roots = 0;
    CK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    CK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    std::printf("%zu nodes, %zu edges, %zu root\n", nodes, edges, roots);

    cudaGraphNode_t all[6], adds[2];
    int found = 0, kinds[16] = {0};
    nodes = 6;
    CK(cudaGraphGetNodes(graph, all, &nodes));
    for (size_t i = 0; i < nodes; ++i) {
        cudaGraphNodeType type;
        cudaKernelNodeParams p;
        CK(cudaGraphNodeGetType(all[i], &type));
        ++kinds[type];
        if (type != cudaGraphNodeTypeKernel)
            continue;
        CK(cudaGraphKernelNodeGetParams(all[i], &p));
        if (p.func == (void *)add)
            adds[found++] = all[i];
    }
    std::printf("kernels %d, fills %d, functions %d; adds %d\n", kinds[cudaGraphNodeTypeKernel],
                kinds[cudaGraphNodeTypeMemset], kinds[cudaGraphNodeTypeHost], found);

    cudaGraphExec_t exec;
    CK(cudaGraphClone(&clone, graph));
    CK(cudaGraphInstantiate(&exec, graph, 0));
    CK(cudaGraphLaunch(exec, one));
    CK(cudaStreamSynchronize(one));
    CK(cudaMemcpy(host, sum, sizeof host, cudaMemcpyDeviceToHost));
    std::printf("first: %d, calls %d\n", host[7], calls);

    // Switch one of the two additions off.
    int expected = 0;
    for (int i = 0; i < 2; ++i) {
        cudaKernelNodeParams p;
        CK(cudaGraphKernelNodeGetParams(adds[i], &p));
        if (*static_cast<int *>(p.kernelParams[1]) == 3) {
            CK(cudaGraphNodeSetEnabled(exec, adds[i], 0));
            expected = 1;
        }
    }
    CK(cudaGraphLaunch(exec, one));
    CK(cudaStreamSynchronize(one));
    CK(cudaMemcpy(host, sum, sizeof host, cudaMemcpyDeviceToHost));
    std::printf("one off (%d): %d\n", expected, host[7]);

    // Change the copy of the graph, and bring what runs up to date.
    for (int i = 0; i < 2; ++i) {
        cudaGraphNode_t twin;
        cudaKernelNodeParams p;
        CK(cudaGraphNodeFindInClone(&twin, adds[i], clone));
        CK(cudaGraphKernelNodeGetParams(twin, &p));
        int more = 100 * *static_cast<int *>(p.kernelParams[1]);
        void *args[] = {p.kernelParams[0], &more};
        p.kernelParams = args;
        CK(cudaGraphKernelNodeSetParams(twin, &p));
    }
    cudaGraphExec_t second;
    CK(cudaGraphInstantiate(&second, graph, 0));
    cudaGraphExecUpdateResultInfo info;
    CK(cudaGraphExecUpdate(second, clone, &info));
    CK(cudaGraphLaunch(second, two));
    CK(cudaStreamSynchronize(two));
    CK(cudaMemcpy(host, sum, sizeof host, cudaMemcpyDeviceToHost));
    std::printf("updated: %d, calls %d\n", host[7], calls);

    // A graph of another shape does not fit.
    cudaGraph_t other;
    cudaGraphNode_t lonely;
    CK(cudaGraphCreate(&other, 0));
    CK(cudaGraphAddEmptyNode(&lonely, other, nullptr, 0));
    cudaError_t e = cudaGraphExecUpdate(second, other, &info);
    std::printf("%s\n", cudaGetErrorName(e));
    cudaGetLastError();

    // The whole graph as a node of another one, between two fills.
    cudaGraph_t outer;
    cudaGraphNode_t child, fill;
    cudaMemsetParams m = {};
    m.dst = sum;
    m.elementSize = 4;
    m.value = 77;
    m.width = 2;
    m.height = 1;
    CK(cudaGraphCreate(&outer, 0));
    CK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
    CK(cudaGraphAddMemsetNode(&fill, outer, &child, 1, &m));
    cudaGraphExec_t third;
    CK(cudaGraphInstantiate(&third, outer, 0));
    CK(cudaGraphLaunch(third, one));
    CK(cudaStreamSynchronize(one));
    CK(cudaMemcpy(host, sum, sizeof host, cudaMemcpyDeviceToHost));
    std::printf("child: %d %d %d, calls %d\n", host[0], host[1], host[2], calls);

    CK(cudaGraphExecDestroy(exec));
    CK(cudaGraphExecDestroy(second));
    CK(cudaGraphExecDestroy(third));
    CK(cudaGraphDestroy(outer));
    CK(cudaGraphDestroy(other));
    CK(cudaGraphDestroy(clone));
    CK(cudaGraphDestroy(graph));
    CK(cudaEventDestroy(fork));
    CK(cudaEventDestroy(join));
    CK(cudaStreamDestroy(one));
    CK(cudaStreamDestroy(two));
    CK(cudaFree(a));
    CK(cudaFree(b));
    CK(cudaFree(sum));
    return 0;
}
