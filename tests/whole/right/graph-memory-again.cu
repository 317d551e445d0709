// Memory that a graph has freed is given again at its address, but only behind the node that frees it.
// What graphs have got stays theirs until it is trimmed.
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

const size_t bytes = 4 << 20;

__global__ void fill(int *v, int k) { v[threadIdx.x] = k; }
__global__ void add(const int *v, int *sum) { *sum += v[63]; }

cudaGraphNode_t get(cudaGraph_t g, cudaGraphNode_t *after, size_t size, void **memory)
{
    cudaMemAllocNodeParams room = {};
    cudaGraphNode_t node;
    room.poolProps.allocType = cudaMemAllocationTypePinned;
    room.poolProps.location.type = cudaMemLocationTypeDevice;
    room.bytesize = size;
    CK(cudaGraphAddMemAllocNode(&node, g, after, after != nullptr, &room));
    *memory = room.dptr;
    return node;
}

cudaGraphNode_t give(cudaGraph_t g, cudaGraphNode_t after, void *memory)
{
    cudaGraphNode_t node;
    CK(cudaGraphAddMemFreeNode(&node, g, &after, 1, memory));
    return node;
}

cudaGraphNode_t run(cudaGraph_t g, cudaGraphNode_t after, void *kernel, int threads, void **args)
{
    cudaGraphNode_t node;
    cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = dim3(1);
    p.blockDim = dim3(threads);
    p.kernelParams = args;
    CK(cudaGraphAddKernelNode(&node, g, &after, 1, &p));
    return node;
}

void tell(const char *when)
{
    size_t used;
    CK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    std::printf("%s: %zu MiB\n", when, used >> 20);
}

int main()
{
    int *sum, result = 0;
    CK(cudaMalloc(&sum, sizeof *sum));
    CK(cudaMemset(sum, 0, sizeof *sum));

    cudaGraph_t g;
    CK(cudaGraphCreate(&g, 0));
    void *a, *b, *c, *d;
    int one = 1, ten = 10;
    void *fill_a[] = {&a, &one}, *add_a[] = {&a, &sum};
    cudaGraphNode_t first = get(g, nullptr, bytes, &a);
    first = run(g, first, (void *)fill, 64, fill_a);
    first = run(g, first, (void *)add, 1, add_a);
    cudaGraphNode_t freed = give(g, first, a);

    cudaGraphNode_t second = get(g, &freed, bytes, &b);
    void *fill_b[] = {&b, &ten}, *add_b[] = {&b, &sum};
    cudaGraphNode_t third = get(g, &second, bytes, &c); // b has the memory of a
    cudaGraphNode_t aside = get(g, nullptr, bytes, &d); // nothing frees a before it
    std::printf("again: %d %d %d\n", a == b, a == c, a == d);
    give(g, third, c);
    give(g, aside, d);
    second = run(g, second, (void *)fill, 64, fill_b);
    second = run(g, second, (void *)add, 1, add_b);
    give(g, second, b);

    cudaGraphExec_t exec;
    CK(cudaGraphInstantiate(&exec, g, 0));
    tell("nothing was launched");
    CK(cudaGraphLaunch(exec, 0));
    CK(cudaGraphLaunch(exec, 0));
    CK(cudaDeviceSynchronize());
    CK(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost));
    std::printf("two launches: %d\n", result);
    CK(cudaGraphExecDestroy(exec));
    CK(cudaGraphDestroy(g));
    CK(cudaDeviceGraphMemTrim(0));

    // It stays there after the launch, and the device keeps it when it is freed.
    CK(cudaGraphCreate(&g, 0));
    get(g, nullptr, bytes, &a);
    CK(cudaGraphInstantiate(&exec, g, 0));
    tell("trimmed");
    CK(cudaGraphLaunch(exec, 0));
    tell("launched");
    CK(cudaDeviceSynchronize());
    CK(cudaDeviceGraphMemTrim(0));
    tell("trimmed in use");
    CK(cudaFree(a));
    tell("freed");
    CK(cudaDeviceGraphMemTrim(0));
    tell("trimmed again");
    CK(cudaGraphExecDestroy(exec));
    CK(cudaGraphDestroy(g));

    // By capture.
    cudaStream_t s;
    CK(cudaStreamCreate(&s));
    CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CK(cudaMallocAsync(&a, bytes, s));
    CK(cudaFreeAsync(a, s));
    CK(cudaMallocAsync(&b, bytes, s));
    CK(cudaFreeAsync(b, s));
    CK(cudaStreamEndCapture(s, &g));
    std::printf("captured: %d\n", a == b);
    CK(cudaGraphInstantiate(&exec, g, 0));
    CK(cudaGraphLaunch(exec, s));
    CK(cudaStreamSynchronize(s));
    CK(cudaGraphExecDestroy(exec));
    CK(cudaGraphDestroy(g));
    CK(cudaStreamDestroy(s));
    CK(cudaFree(sum));
    return 0;
}
