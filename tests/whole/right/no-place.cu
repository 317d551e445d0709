// Calls without a place for their answer, sizes that no number can hold, and priorities of launches
// and streams.
#include <cstdint>
#include <cstdio>

__global__ void set(int *p) { *p = 1; }

#define SHOW(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))

static void show_places(void)
{
    int least = 7, greatest = 7;
    size_t left = 0, total = 0;
    SHOW(cudaDeviceGetStreamPriorityRange(NULL, &greatest));
    SHOW(cudaDeviceGetStreamPriorityRange(&least, NULL));
    std::printf("%d to %d\n", least, greatest);
    SHOW(cudaDeviceGetStreamPriorityRange(NULL, NULL));
    SHOW(cudaMemGetInfo(NULL, &total));
    SHOW(cudaMemGetInfo(&left, NULL));
    std::printf("%d %d\n", left > 0, total > 0);
    SHOW(cudaGetDeviceCount(NULL));
    SHOW(cudaDriverGetVersion(NULL));
    SHOW(cudaRuntimeGetVersion(NULL));
    SHOW(cudaGetDeviceProperties(NULL, 0));
    SHOW(cudaFuncGetAttributes(NULL, set));
    SHOW(cudaDeviceGetPCIBusId(NULL, 20, 0));
    SHOW(cudaPointerGetAttributes(NULL, &left));
    SHOW(cudaHostGetDevicePointer((void **)NULL, &left, 0));
    SHOW(cudaEventElapsedTime(NULL, NULL, NULL));
}

static void show_sizes(void)
{
    void *p = NULL;
    size_t pitch = 0;
    cudaPitchedPtr box = {};
    cudaArray_t array = NULL;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    SHOW(cudaMallocPitch(&p, &pitch, (size_t)1 << 33, (size_t)1 << 33));
    SHOW(cudaMallocPitch(&p, &pitch, (size_t)1 << 20, (size_t)1 << 44));
    SHOW(cudaMallocPitch(&p, &pitch, SIZE_MAX, 1));
    SHOW(cudaMalloc3D(&box, make_cudaExtent((size_t)1 << 22, (size_t)1 << 21, (size_t)1 << 21)));
    SHOW(cudaMallocArray(&array, &format, (size_t)1 << 62, 4));
    SHOW(cudaMallocArray(&array, &format, (size_t)1 << 33, (size_t)1 << 33));
}

static void show_priorities(void)
{
    int *p, priority = 9;
    cudaStream_t s, other;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    size_t count = 1;
    cudaLaunchConfig_t how = {};
    cudaLaunchAttribute attribute = {};
    cudaLaunchAttributeValue value = {};
    cudaMalloc(&p, sizeof *p);
    cudaStreamCreate(&s);
    attribute.id = cudaLaunchAttributePriority;
    attribute.val.priority = -3;
    how.gridDim = 1;
    how.blockDim = 1;
    how.stream = s;
    how.attrs = &attribute;
    how.numAttrs = 1;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaLaunchKernelEx(&how, set, p);
    cudaStreamEndCapture(s, &graph);
    cudaGraphGetNodes(graph, &node, &count);
    cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &value);
    std::printf("of the launch: %d\n", value.priority);
    cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -2);
    cudaStreamCopyAttributes(s, other);
    cudaStreamGetPriority(s, &priority);
    std::printf("of the stream: %d\n", priority);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
    cudaStreamDestroy(other);
    cudaFree(p);
}

int main()
{
    show_places();
    show_sizes();
    show_priorities();
    return 0;
}
