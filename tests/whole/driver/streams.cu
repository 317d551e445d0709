// Streams, events, functions of the host, and copies that nobody waits for in between.
// link: -lcuda
#include "check.h"

static const char increment[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry increment(.param .u64 at)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [at];
    ld.global.u32 %r1, [%rd1];
    add.u32 %r1, %r1, 1;
    st.global.u32 [%rd1], %r1;
    ret;
}
)";

static void CUDA_CB called(void *data) { ++*(int *)data; }
static void CUDA_CB called_back(CUstream, CUresult status, void *data)
{
    *(int *)data += status == CUDA_SUCCESS ? 10 : 0;
}

int main()
{
    CUdevice device;
    CUcontext context, of_stream;
    CUmodule module;
    CUfunction f;
    CUdeviceptr p;
    CUstream a, b;
    CUevent begin, end;
    int *value, calls = 0;
    float ms = -1;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate(&context, nullptr, 0, device));
    OK(cuModuleLoadData(&module, increment));
    OK(cuModuleGetFunction(&f, module, "increment"));
    OK(cuMemAlloc(&p, sizeof *value));
    OK(cuMemAllocHost((void **)&value, sizeof *value));
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreateWithPriority(&b, CU_STREAM_NON_BLOCKING, 0));
    OK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    *value = 5;
    void *params[] = {&p};
    OK(cuEventRecord(begin, a));
    OK(cuMemcpyHtoDAsync(p, value, sizeof *value, a));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, a, params, nullptr));
    OK(cuEventRecord(end, a));
    OK(cuStreamWaitEvent(b, end, 0));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, b, params, nullptr));
    OK(cuMemcpyDtoHAsync(value, p, sizeof *value, b));
    OK(cuLaunchHostFunc(b, called, &calls));
    OK(cuStreamAddCallback(b, called_back, &calls, 0));
    OK(cuStreamSynchronize(b));
    printf("value %d, calls %d\n", *value, calls);
    SHOW("query", cuStreamQuery(b));
    SHOW("event", cuEventQuery(end));
    OK(cuEventElapsedTime(&ms, begin, end));
    printf("time passes: %d\n", ms > 0);
    OK(cuStreamGetCtx(a, &of_stream));
    printf("its context: %d\n", of_stream == context);
    OK(cuEventDestroy(begin));
    OK(cuEventDestroy(end));
    OK(cuStreamDestroy(a));
    OK(cuStreamDestroy(b));
    OK(cuMemFreeHost(value));
    OK(cuMemFree(p));
    OK(cuCtxDestroy(context));
}
