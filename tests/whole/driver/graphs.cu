// Graphs by the driver API: captured from a stream, and made of nodes.
// link: -lcuda
#include "check.h"

static const char scale[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 array, .param .u32 factor)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [array];
    ld.param.u32 %r1, [factor];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd1, %rd1, %rd2;
    ld.global.u32 %r3, [%rd1];
    mul.lo.s32 %r3, %r3, %r1;
    st.global.u32 [%rd1], %r3;
    ret;
}
)";
enum { N = 32 };

static int sum(const int *array)
{
    int all = 0;
    for (int i = 0; i < N; i++)
        all += array[i];
    return all;
}

static void count_call(void *calls) { ++*(int *)calls; }

int main()
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction f;
    CUstream stream;
    CUdeviceptr array;
    int *host, factor = 3, calls = 0;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate(&context, nullptr, 0, device));
    OK(cuModuleLoadData(&module, scale));
    OK(cuModuleGetFunction(&f, module, "scale"));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&array, N * sizeof(int)));
    OK(cuMemAllocHost((void **)&host, N * sizeof(int)));
    for (int i = 0; i < N; i++)
        host[i] = i;

    // What the stream is asked for becomes a graph, and is not done.
    CUgraph graph;
    CUgraphExec exec;
    CUstreamCaptureStatus status;
    size_t nodes;
    void *params[] = {&array, &factor};
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemcpyHtoDAsync(array, host, N * sizeof(int), stream));
    OK(cuLaunchKernel(f, 1, 1, 1, N, 1, 1, 0, stream, params, nullptr));
    OK(cuMemcpyDtoHAsync(host, array, N * sizeof(int), stream));
    OK(cuLaunchHostFunc(stream, count_call, &calls));
    OK(cuStreamIsCapturing(stream, &status));
    SHOW("synchronizing it", cuStreamSynchronize(stream));
    SHOW("which ends it", cuStreamEndCapture(stream, &graph));

    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemcpyHtoDAsync(array, host, N * sizeof(int), stream));
    OK(cuLaunchKernel(f, 1, 1, 1, N, 1, 1, 0, stream, params, nullptr));
    OK(cuMemcpyDtoHAsync(host, array, N * sizeof(int), stream));
    OK(cuLaunchHostFunc(stream, count_call, &calls));
    OK(cuStreamIsCapturing(stream, &status));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphGetNodes(graph, nullptr, &nodes));
    printf("captured: %d, nodes: %zu, sum: %d\n", status == CU_STREAM_CAPTURE_STATUS_ACTIVE, nodes,
           sum(host));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    printf("launched twice: %d, calls: %d\n", sum(host), calls);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));

    // The same graph, node by node.
    CUgraphNode fill, kernel, copy;
    CUDA_MEMSET_NODE_PARAMS m = {};
    m.dst = array;
    m.elementSize = 4;
    m.value = 7;
    m.width = N;
    m.height = 1;
    CUDA_KERNEL_NODE_PARAMS k = {}, told;
    k.func = f;
    k.gridDimX = k.gridDimY = k.gridDimZ = k.blockDimY = k.blockDimZ = 1;
    k.blockDimX = N;
    k.kernelParams = params;
    CUDA_MEMCPY3D c = {};
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = array;
    c.dstMemoryType = CU_MEMORYTYPE_HOST;
    c.dstHost = host;
    c.WidthInBytes = N * sizeof(int);
    c.Height = c.Depth = 1;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &m, context));
    OK(cuGraphAddKernelNode(&kernel, graph, &fill, 1, &k));
    OK(cuGraphAddMemcpyNode(&copy, graph, &kernel, 1, &c, context));
    OK(cuGraphKernelNodeGetParams(kernel, &told));
    printf("the kernel: %d, its factor: %d\n", told.func == f, *(int *)told.kernelParams[1]);
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    printf("by nodes: %d\n", sum(host));
    factor = 5;
    OK(cuGraphExecKernelNodeSetParams(exec, kernel, &k));
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
    printf("with another factor: %d\n", sum(host));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    SHOW("no graph", cuGraphLaunch(nullptr, stream));

    OK(cuMemFreeHost(host));
    OK(cuMemFree(array));
    OK(cuStreamDestroy(stream));
    OK(cuModuleUnload(module));
    OK(cuCtxDestroy(context));
}
