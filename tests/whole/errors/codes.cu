// The error codes of calls that are odd or wrong, one section for each argument. codes.out has
// what an H100 gives.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

// Prints a call, the error that it returned, and the last error where that is another one.
#define SHOW(...)                                                                            \
    do {                                                                                     \
        cudaError_t error = (__VA_ARGS__), last = cudaGetLastError();                        \
        printf("%s: %s", #__VA_ARGS__, cudaGetErrorName(error));                             \
        printf(error == last ? "\n" : ", last error %s\n", cudaGetErrorName(last));          \
    } while (0)
#define SHOW_LAUNCH(...)                                                                     \
    do {                                                                                     \
        __VA_ARGS__;                                                                         \
        printf("%s: %s\n", #__VA_ARGS__, cudaGetErrorName(cudaGetLastError()));              \
    } while (0)

__global__ void plain(int *p) { if (p) *p = 1; }
__global__ void __launch_bounds__(128) bounded(int *p) { if (p) *p = 1; }
__global__ void together(int *p) { cooperative_groups::this_grid().sync(); if (p) *p = 1; }
extern __shared__ int dynamic[];
__global__ void shares(int *p) { dynamic[threadIdx.x] = 1; if (p) *p = dynamic[0]; }
__device__ int variable[4];
__constant__ int constant[4];
__managed__ int managed = 3;

static int *d;
static void *p;
static char *h;
static size_t n;
static int i, j;

static void memory()
{
    SHOW(cudaMalloc(&p, 0));
    SHOW(cudaMalloc((void **)0, 4));
    SHOW(cudaMalloc(&p, (size_t)1 << 60));
    SHOW(cudaMalloc(&p, (size_t)-4));
    SHOW(cudaMallocHost(&p, 0));
    SHOW(cudaMallocManaged(&p, 0));
    SHOW(cudaMallocManaged(&p, 4, 9));
    SHOW(cudaHostAlloc(&p, 64, 99));
    SHOW(cudaMallocPitch(&p, &n, 100, 4));
    printf("pitch %zu\n", n);
    SHOW(cudaMallocPitch(&p, &n, 0, 4));
    SHOW(cudaFree(0));
    SHOW(cudaFree(h));
    SHOW(cudaFree(d + 1));
    SHOW(cudaFreeHost(d));
    SHOW(cudaFreeHost(h));
    SHOW(cudaFreeHost(0));
}

static void copies()
{
    SHOW(cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(0, 0, 0, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(0, h, 4, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(d, 0, 4, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(d, h, 4097, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(d, h, (size_t)-4, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(h, d, 4, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpy(h, h + 8, 4, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(h, h + 16, 4, cudaMemcpyHostToHost));
    SHOW(cudaMemcpy(h, d, 4, cudaMemcpyHostToHost));
    SHOW(cudaMemcpy(h, d, 4, cudaMemcpyDefault));
    SHOW(cudaMemcpy(h, d, 4, (cudaMemcpyKind)7));
    SHOW(cudaMemcpy2D(d, 16, h, 8, 12, 2, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(d, 8, h, 16, 12, 2, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(d, 16, h, 16, 0, 2, cudaMemcpyHostToDevice));
    SHOW(cudaMemset(h, 0, 4));
    SHOW(cudaMemset(d, 0, 4097));
    SHOW(cudaMemset(0, 0, 4));
    SHOW(cudaMemset(0, 0, 0));
    SHOW(cudaMemset(d, 0, 0));
    SHOW(cudaMemset2D(d, 8, 0, 12, 2));
    SHOW(cudaMemcpyAsync(d, h, 4097, cudaMemcpyHostToDevice, 0));
    SHOW(cudaMemsetAsync(h, 0, 4, 0));
}

static void symbols()
{
    SHOW(cudaMemcpyToSymbol(variable, h, 16));
    SHOW(cudaMemcpyToSymbol(variable, h, 20));
    SHOW(cudaMemcpyToSymbol(variable, h, 16, 4));
    SHOW(cudaMemcpyToSymbol(variable, h, 4, 0, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpyToSymbol(constant, h, 16));
    SHOW(cudaMemcpyFromSymbol(h, variable, 17));
    SHOW(cudaGetSymbolAddress(&p, variable));
    SHOW(cudaGetSymbolAddress(&p, h));
    SHOW(cudaGetSymbolSize(&n, variable));
    printf("size %zu\n", n);
}

static void devices()
{
    SHOW(cudaSetDevice(0));
    SHOW(cudaSetDevice(97));
    SHOW(cudaSetDevice(-1));
    SHOW(cudaGetDevice(&i));
    SHOW(cudaGetDevice(0));
    SHOW(cudaDeviceGetAttribute(&i, cudaDevAttrWarpSize, 0));
    SHOW(cudaDeviceGetAttribute(&i, (cudaDeviceAttr)9999, 0));
    SHOW(cudaDeviceGetAttribute(&i, cudaDevAttrWarpSize, 95));
    SHOW(cudaDeviceCanAccessPeer(&i, 0, 0));
    printf("peer of itself %d\n", i);
    SHOW(cudaDeviceCanAccessPeer(&i, 0, 91));
    SHOW(cudaDeviceEnablePeerAccess(0, 0));
    SHOW(cudaDeviceDisablePeerAccess(0));
    SHOW(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    cudaFuncCache cache;
    SHOW(cudaDeviceGetCacheConfig(&cache));
    printf("cache %d\n", cache);
    unsigned flags;
    SHOW(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    SHOW(cudaGetDeviceFlags(&flags));
    printf("flags %u\n", flags);
    SHOW(cudaSetDeviceFlags(9999));
}

static void streams()
{
    cudaStream_t s, other;
    SHOW(cudaStreamCreate(&s));
    SHOW(cudaStreamCreate(0));
    SHOW(cudaStreamCreateWithFlags(&other, 77));
    SHOW(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -99));
    SHOW(cudaStreamGetPriority(other, &i));
    printf("priority %d\n", i);
    SHOW(cudaStreamQuery(s));
    SHOW(cudaStreamSynchronize(s));
    SHOW(cudaStreamDestroy(0));
    SHOW(cudaStreamDestroy(s));
    SHOW(cudaDeviceGetStreamPriorityRange(&i, &j));
    printf("priorities %d to %d\n", i, j);
    SHOW(cudaStreamAddCallback(other, 0, 0, 0));
    SHOW(cudaLaunchHostFunc(other, 0, 0));
}

static void events()
{
    cudaEvent_t e, untimed;
    cudaStream_t s;
    float ms;
    SHOW(cudaStreamCreate(&s));
    SHOW(cudaEventCreate(&e));
    SHOW(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    SHOW(cudaEventCreateWithFlags(&untimed, 99));
    SHOW(cudaEventElapsedTime(&ms, e, e));
    SHOW(cudaEventQuery(e));
    SHOW(cudaEventSynchronize(e));
    SHOW(cudaStreamWaitEvent(s, e, 0));
    SHOW(cudaStreamWaitEvent(s, e, 5));
    SHOW(cudaEventRecord(e, s));
    SHOW(cudaEventElapsedTime(&ms, e, untimed));
    SHOW(cudaEventRecord(untimed, s));
    SHOW(cudaStreamSynchronize(s));
    SHOW(cudaEventElapsedTime(&ms, e, untimed));
    SHOW(cudaEventElapsedTime(&ms, e, e));
    SHOW(cudaEventRecord(0, s));
    SHOW(cudaEventQuery(0));
    SHOW(cudaEventDestroy(0));
    SHOW(cudaEventDestroy(e));
}

static void launches()
{
    int *null = 0;
    void *args[] = {&null};
    SHOW_LAUNCH(plain<<<0, 1>>>(0));
    SHOW_LAUNCH(plain<<<1, 0>>>(0));
    SHOW_LAUNCH(plain<<<1, 1025>>>(0));
    SHOW_LAUNCH(plain<<<1, dim3(1, 1, 65)>>>(0));
    SHOW_LAUNCH(plain<<<dim3(1, 65536), 1>>>(0));
    SHOW_LAUNCH(plain<<<1, 1, 49153>>>(0));
    SHOW_LAUNCH(shares<<<1, 1, 49152>>>(0));
    SHOW_LAUNCH(shares<<<1, 1, 49153>>>(0));
    SHOW_LAUNCH(shares<<<1, 1, 300000>>>(0));
    SHOW_LAUNCH(bounded<<<1, 129>>>(0));
    SHOW(cudaLaunchKernel((void *)h, 1, 1, args, 0, 0));
    SHOW(cudaLaunchKernel((void *)0, 1, 1, args, 0, 0));
    SHOW(cudaLaunchCooperativeKernel((void *)together, 2, 32, args, 0, 0));
    SHOW(cudaLaunchCooperativeKernel((void *)together, 100000, 1024, args, 0, 0));
    SHOW(cudaLaunchCooperativeKernel((void *)together, 0, 32, args, 0, 0));
    SHOW(cudaDeviceSynchronize());
}

static void functions()
{
    const cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    cudaFuncAttributes a;
    SHOW(cudaFuncSetAttribute(shares, most, 232448));
    SHOW(cudaFuncSetAttribute(shares, most, 232449));
    SHOW(cudaFuncSetAttribute(shares, most, -5));
    SHOW(cudaFuncSetAttribute(shares, (cudaFuncAttribute)99, 1));
    SHOW_LAUNCH(shares<<<1, 1, 232448>>>(0));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaFuncSetCacheConfig(shares, cudaFuncCachePreferL1));
    SHOW(cudaFuncGetAttributes(&a, (const void *)h));
    SHOW(cudaFuncGetAttributes(&a, bounded));
    printf("threads %d, shared %zu, local %zu\n", a.maxThreadsPerBlock, a.sharedSizeBytes,
           a.localSizeBytes);
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&i, plain, 256, 0));
    printf("blocks %d\n", i);
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&i, plain, 2000, 0));
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&i, plain, 0, 0));
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&i, shares, 32, 100000));
    printf("blocks %d\n", i);
    SHOW(cudaOccupancyMaxPotentialBlockSize(&i, &j, plain));
    printf("%d blocks of %d\n", i, j);
    SHOW(cudaOccupancyMaxPotentialBlockSize(&i, &j, bounded));
    printf("%d blocks of %d\n", i, j);
}

static void show_pointer(const void *at)
{
    cudaPointerAttributes a;
    SHOW(cudaPointerGetAttributes(&a, at));
    printf("type %d, device %d, %s for the device, %s for the host\n", a.type, a.device,
           !a.devicePointer ? "none" : a.devicePointer == at ? "the same" : "another",
           !a.hostPointer ? "none" : a.hostPointer == at ? "the same" : "another");
}

static void pointers()
{
    unsigned flags;
    show_pointer(h);
    show_pointer(d + 2);
    show_pointer(&managed);
    show_pointer(0);
    SHOW(cudaHostAlloc(&p, 64, cudaHostAllocMapped));
    show_pointer(p);
    SHOW(cudaHostGetFlags(&flags, p));
    printf("flags %u\n", flags);
    SHOW(cudaHostGetFlags(&flags, h));
    SHOW(cudaHostRegister(h, 4096, 0));
    SHOW(cudaHostRegister(h, 4096, 0));
    SHOW(cudaHostGetDevicePointer(&p, h, 0));
    printf(p == h ? "the same\n" : "another\n");
    show_pointer(h);
    SHOW(cudaHostUnregister(h));
    SHOW(cudaHostUnregister(h));
    SHOW(cudaHostGetDevicePointer(&p, h, 0));
    SHOW(cudaHostRegister(0, 4, 0));
    SHOW(cudaHostRegister(h, 0, 0));
}

static void limit(const char *name, cudaLimit which)
{
    n = 0;
    SHOW(cudaDeviceGetLimit(&n, which));
    printf("%s %zu\n", name, n);
}

static void limits()
{
    limit("stack", cudaLimitStackSize);
    limit("printf", cudaLimitPrintfFifoSize);
    limit("heap", cudaLimitMallocHeapSize);
    limit("pending launches", cudaLimitDevRuntimePendingLaunchCount);
    limit("fetch", cudaLimitMaxL2FetchGranularity);
    limit("none", (cudaLimit)77);
    SHOW(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24));
    limit("heap", cudaLimitMallocHeapSize);
    SHOW(cudaDeviceSetLimit((cudaLimit)77, 1));
}

static void pools()
{
    cudaStream_t s;
    cudaMemPool_t pool, other;
    SHOW(cudaStreamCreate(&s));
    SHOW(cudaDeviceGetDefaultMemPool(&pool, 0));
    SHOW(cudaDeviceGetMemPool(&other, 0));
    printf(pool == other ? "the same\n" : "another\n");
    SHOW(cudaMallocAsync(&p, 1000, s));
    SHOW(cudaFree(p));
    SHOW(cudaMallocAsync(&p, 1000, s));
    SHOW(cudaFreeAsync(p, s));
    SHOW(cudaFreeAsync(p, s));
    SHOW(cudaFreeAsync(h, s));
    SHOW(cudaMallocAsync(&p, 0, s));
    SHOW(cudaStreamSynchronize(s));
    SHOW(cudaMemPoolDestroy(pool));
}

static void show_capturing(cudaStream_t s)
{
    cudaStreamCaptureStatus now = cudaStreamCaptureStatusNone;
    SHOW(cudaStreamIsCapturing(s, &now));
    printf("capturing %d\n", now);
}

static void capture()
{
    cudaStream_t s;
    cudaGraph_t g = 0;
    cudaGraphExec_t x = 0;
    SHOW(cudaStreamCreate(&s));
    SHOW(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    show_capturing(s);
    SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamSynchronize(s));
    show_capturing(s);
    SHOW(cudaStreamEndCapture(s, &g));
    printf(g ? "a graph\n" : "no graph\n");
    SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    SHOW(cudaMalloc(&p, 4));
    show_capturing(s);
    SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    SHOW(cudaMalloc(&p, 4));
    SHOW_LAUNCH(plain<<<1, 1, 0, s>>>(0));
    SHOW(cudaStreamEndCapture(s, &g));
    SHOW(cudaGraphGetNodes(g, 0, &n));
    printf("nodes %zu\n", n);
    SHOW(cudaGraphInstantiate(&x, g, 0));
    SHOW(cudaGraphLaunch(x, s));
    SHOW(cudaGraphLaunch(0, s));
    SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamEndCapture(s, nullptr));
    SHOW(cudaStreamSynchronize(s));
    SHOW(cudaGraphDestroy(g));
    SHOW(cudaGraphExecDestroy(x));
}

static void fault()
{
    SHOW_LAUNCH(plain<<<1, 1>>>((int *)8));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGetLastError());
    SHOW(cudaMalloc(&p, 4));
    SHOW(cudaFree(d));
    SHOW(cudaGetDevice(&i));
    SHOW(cudaGetDeviceCount(&i));
    SHOW(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost));
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*show)(); } sections[] = {
        {"memory", memory}, {"copies", copies}, {"symbols", symbols}, {"devices", devices},
        {"streams", streams}, {"events", events}, {"launches", launches},
        {"functions", functions}, {"pointers", pointers}, {"limits", limits}, {"pools", pools},
        {"capture", capture}, {"fault", fault}};
    h = (char *)aligned_alloc(4096, 8192);
    if (cudaMalloc(&d, 4096) != cudaSuccess)
        return 1;
    for (const auto &s : sections)
        if (argc > 1 && strcmp(s.name, argv[1]) == 0)
            s.show();
    return 0;
}
