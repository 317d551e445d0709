// Memory by the driver API in the order of a stream, of pools, of the host, and of both.
// link: -lcuda
#include "check.h"

int main()
{
    enum { N = 256 };
    CUdevice device;
    CUcontext context;
    CUstream stream;
    CUdeviceptr a, b;
    int host[N];
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate(&context, nullptr, 0, device));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));

    // Memory that comes and goes in the order of a stream.
    OK(cuMemAllocAsync(&a, sizeof host, stream));
    OK(cuMemsetD32Async(a, 0x01020304, N, stream));
    OK(cuMemcpyDtoHAsync(host, a, sizeof host, stream));
    OK(cuMemFreeAsync(a, stream));
    OK(cuStreamSynchronize(stream));
    printf("in order: %x %x\n", host[0], host[N - 1]);

    // A pool of the program's own.
    CUmemPoolProps props = {};
    CUmemoryPool pool, usual, current;
    cuuint64_t used;
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    props.location.id = device;
    OK(cuMemPoolCreate(&pool, &props));
    OK(cuMemAllocFromPoolAsync(&a, 4096, pool, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    printf("used: %llu\n", (unsigned long long)used);
    OK(cuMemFreeAsync(a, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    printf("used: %llu\n", (unsigned long long)used);
    OK(cuDeviceGetDefaultMemPool(&usual, device));
    OK(cuDeviceGetMemPool(&current, device));
    printf("the default pool is current: %d\n", usual == current);
    OK(cuDeviceSetMemPool(device, pool));
    OK(cuDeviceGetMemPool(&current, device));
    printf("and now the other one: %d\n", pool == current);
    OK(cuDeviceSetMemPool(device, usual));
    OK(cuMemPoolTrimTo(pool, 0));
    OK(cuMemPoolDestroy(pool));

    // Memory of the host that a kernel could reach.
    static int own[4096];
    unsigned flags;
    OK(cuMemHostRegister(own, sizeof own, CU_MEMHOSTREGISTER_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&a, own, 0));
    OK(cuMemHostGetFlags(&flags, own));
    printf("registered, mapped: %d\n", (flags & CU_MEMHOSTREGISTER_DEVICEMAP) != 0);
    OK(cuMemAlloc(&b, 64));
    OK(cuMemsetD8(b, 5, 64));
    OK(cuMemcpyDtoD(a, b, 64));
    OK(cuCtxSynchronize());
    printf("the host has it: %x\n", own[15]);
    SHOW("a second time", cuMemHostRegister(own, sizeof own, 0));
    OK(cuMemHostUnregister(own));
    SHOW("unregistered twice", cuMemHostUnregister(own));

    // Managed memory, and what was advised for it.
    int place;
    OK(cuMemAllocManaged(&a, 1 << 16, CU_MEM_ATTACH_GLOBAL));
    CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    OK(cuMemAdvise(a, 1 << 16, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    OK(cuMemRangeGetAttribute(&place, sizeof place, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, a, 1 << 16));
    printf("read mostly: %d\n", place);
    OK(cuMemPrefetchAsync(a, 1 << 16, here, 0, stream));
    OK(cuStreamAttachMemAsync(stream, a, 0, CU_MEM_ATTACH_SINGLE));
    OK(cuStreamSynchronize(stream));
    *(int *)a = 12;
    OK(cuMemcpyDtoH(&place, a, sizeof place));
    printf("managed: %d\n", place);

    size_t stack;
    OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    OK(cuCtxGetLimit(&stack, CU_LIMIT_STACK_SIZE));
    printf("stack: %zu\n", stack);
    OK(cuMemFree(a));
    OK(cuMemFree(b));
    OK(cuStreamDestroy(stream));
    OK(cuCtxDestroy(context));
}
