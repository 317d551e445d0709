// What a call returns before cuInit(), without a context, and with one that is gone.
// link: -lcuda
#include "check.h"

int main()
{
    CUdevice device = -1;
    CUcontext first, second, current, popped;
    CUdeviceptr p;
    unsigned flags;
    int count, active;
    char name[100];
    size_t bytes;
    SHOW("before cuInit", cuDeviceGetCount(&count));
    SHOW("bad flags", cuInit(1));
    OK(cuInit(0));
    OK(cuDeviceGetCount(&count));
    SHOW("no such device", cuDeviceGet(&device, count));
    OK(cuDeviceGet(&device, 0));
    OK(cuDeviceGetName(name, sizeof name, device));
    OK(cuDeviceTotalMem(&bytes, device));
    printf("device %d has a name: %d, memory: %d\n", device, name[0] != '\0', bytes > 1 << 20);
    SHOW("no context", cuMemAlloc(&p, 4));
    OK(cuCtxGetCurrent(&current));
    printf("current: %s\n", current ? "one" : "none");

    OK(cuCtxCreate(&first, nullptr, 0, device));
    OK(cuMemAlloc(&p, 4));
    OK(cuCtxCreate(&second, nullptr, CU_CTX_SCHED_SPIN, device));
    OK(cuCtxGetFlags(&flags));
    printf("second: spins %d\n", flags & CU_CTX_SCHED_SPIN);
    OK(cuCtxPopCurrent(&popped));
    OK(cuCtxGetCurrent(&current));
    printf("popped the second: %d, then the first: %d\n", popped == second, current == first);
    OK(cuCtxPushCurrent(second));
    OK(cuCtxDestroy(second));
    OK(cuCtxGetCurrent(&current));
    printf("destroyed, then the first: %d\n", current == first);
    OK(cuCtxSetCurrent(nullptr));
    SHOW("no context", cuCtxSynchronize());
    OK(cuCtxPushCurrent(first));
    OK(cuCtxGetDevice(&device));
    OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
    printf("primary context: %s\n", active ? "active" : "not active");
    OK(cuDevicePrimaryCtxRetain(&second, device));
    OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
    printf("primary context: %s\n", active ? "active" : "not active");
    OK(cuDevicePrimaryCtxRelease(device));
    OK(cuCtxDestroy(first)); // and its memory with it
    printf("%s\n", name_of(CUDA_ERROR_NOT_FOUND));
    const char *text;
    OK(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    printf("%s\n", text);
    printf("%s\n", name_of((CUresult)12345));
}
