// What streams, events, pools and memory say of themselves.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static void show(const char *what, cudaError_t e)
{
    std::printf("%s: %s\n", what, cudaGetErrorName(e));
    cudaGetLastError();
}

__global__ void add_one(int *v) { v[threadIdx.x] += 1; }

static const char *kind(const void *p)
{
    cudaPointerAttributes a;
    if (cudaPointerGetAttributes(&a, p) != cudaSuccess)
        return "?";
    return a.type == cudaMemoryTypeDevice    ? "device"
           : a.type == cudaMemoryTypeHost    ? "host"
           : a.type == cudaMemoryTypeManaged ? "managed"
                                             : "unregistered";
}

int main()
{
    int least, greatest, priority, device = -1;
    unsigned flags;
    cudaStream_t high, low;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest);
    cudaStreamCreateWithPriority(&low, cudaStreamDefault, 100);
    cudaStreamGetPriority(high, &priority);
    cudaStreamGetFlags(high, &flags);
    std::printf("highest: %d, does not block: %d\n", priority == greatest, flags == cudaStreamNonBlocking);
    cudaStreamGetPriority(low, &priority);
    cudaStreamGetFlags(low, &flags);
    cudaStreamGetDevice(low, &device);
    std::printf("lowest: %d, blocks: %d, on device %d\n", priority == least, flags == cudaStreamDefault, device);
    unsigned long long a, b;
    cudaStreamGetId(high, &a);
    cudaStreamGetId(low, &b);
    std::printf("other numbers: %d\n", a != b);

    cudaEvent_t timed, untimed, never;
    float ms = -1;
    cudaEventCreate(&timed);
    cudaEventCreate(&never);
    cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
    cudaEventRecord(timed, low);
    cudaEventRecord(untimed, low);
    cudaStreamSynchronize(low);
    show("without timing", cudaEventElapsedTime(&ms, timed, untimed));
    show("never recorded", cudaEventElapsedTime(&ms, timed, never));
    show("from itself", cudaEventElapsedTime(&ms, timed, timed));

    int *d, *m, *h, *r, plain;
    cudaMalloc(&d, 256);
    cudaMallocManaged(&m, 256);
    cudaHostAlloc(&h, 256, cudaHostAllocMapped);
    std::printf("%s %s %s %s\n", kind(d + 3), kind(m), kind(h + 1), kind(&plain));

    cudaMemPool_t pool, mine;
    unsigned long long bytes = 1 << 20, now = 0;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    show("a pool of its own", cudaMemPoolCreate(&mine, &props));
    show("keep a megabyte", cudaMemPoolSetAttribute(mine, cudaMemPoolAttrReleaseThreshold, &bytes));
    cudaMemPoolGetAttribute(mine, cudaMemPoolAttrReleaseThreshold, &now);
    std::printf("it keeps %llu, is the usual one: %d\n", now, mine == pool);
    cudaMallocFromPoolAsync((void **)&r, 1024, mine, low);
    cudaMemsetAsync(r, 0, 1024, low);
    add_one<<<1, 32, 0, low>>>(r);
    cudaMemcpyAsync(h, r, 128, cudaMemcpyDeviceToHost, low);
    cudaFreeAsync(r, low);
    cudaStreamSynchronize(low);
    cudaMemPoolGetAttribute(mine, cudaMemPoolAttrUsedMemCurrent, &now);
    std::printf("read %d, in use %llu\n", h[31], now);
    cudaMemAccessFlags access;
    cudaMemPoolGetAccess(&access, mine, &props.location);
    std::printf("the device may write: %d\n", access == cudaMemAccessFlagsProtReadWrite);
    show("end of the pool", cudaMemPoolDestroy(mine));

    cudaMemLocation here = {};
    here.type = cudaMemLocationTypeDevice;
    int mostly = -1, preferred = -1;
    cudaMemAdvise(m, 256, cudaMemAdviseSetReadMostly, here);
    cudaMemRangeGetAttribute(&mostly, sizeof mostly, cudaMemRangeAttributeReadMostly, m, 256);
    cudaMemRangeGetAttribute(&preferred, sizeof preferred, cudaMemRangeAttributePreferredLocation, m, 256);
    std::printf("read mostly: %d, preferred place: %d\n", mostly, preferred);
    show("advice for other memory", cudaMemAdvise(d, 256, cudaMemAdviseSetReadMostly, here));

    size_t limit = 0;
    show("a larger stack", cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    cudaDeviceGetLimit(&limit, cudaLimitStackSize);
    std::printf("stack: %zu\n", limit);

    // A default stream of this thread alone.
    cudaMemsetAsync(d, 0, 256, cudaStreamPerThread);
    add_one<<<1, 32, 0, cudaStreamPerThread>>>(d);
    cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost, cudaStreamPerThread);
    cudaStreamSynchronize(cudaStreamPerThread);
    std::printf("by this thread: %d\n", h[0]);

    int can = 1;
    show("a device and itself", cudaDeviceCanAccessPeer(&can, 0, 0));
    std::printf("%d\n", can);
    show("no such device", cudaSetDevice(7));
    show("nothing to copy", cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
    show("no such direction", cudaMemcpy(d, h, 4, (cudaMemcpyKind)9));
    show("free nothing", cudaFree(nullptr));
    show("more than there is", cudaMalloc((void **)&r, (size_t)1 << 50));
    cudaEventDestroy(timed);
    cudaEventDestroy(untimed);
    cudaEventDestroy(never);
    cudaStreamDestroy(high);
    cudaStreamDestroy(low);
    cudaFree(d);
    cudaFree(m);
    cudaFreeHost(h);
    return 0;
}
