// PTX in a text, loaded and launched by both forms of parameters.
// link: -lcuda
#include "check.h"
#include <cstring>

static const char scale_ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 array, .param .f32 factor, .param .u32 count)
{
    .reg .pred %p;
    .reg .f32 %f<3>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [array];
    ld.param.f32 %f1, [factor];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p, %r5, %r1;
    @%p bra done;
    mul.wide.u32 %rd2, %r5, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.f32 %f2, [%rd3];
    mul.f32 %f2, %f2, %f1;
    st.global.f32 [%rd3], %f2;
done:
    ret;
}
)";

int main()
{
    enum { N = 1000 };
    static float array[N];
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction scale;
    CUdeviceptr array_d;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, scale_ptx));
    OK(cuModuleGetFunction(&scale, module, "scale"));
    for (int i = 0; i < N; i++)
        array[i] = (float)i;
    OK(cuMemAlloc(&array_d, sizeof array));
    OK(cuMemcpyHtoD(array_d, array, sizeof array));

    float factor = 2;
    int count = N;
    void *params[] = {&array_d, &factor, &count};
    OK(cuLaunchKernel(scale, (N + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, params, nullptr));

    char buffer[16];
    size_t size = sizeof buffer, offset, bytes;
    factor = 0.5f;
    count = N / 2;
    OK(cuFuncGetParamInfo(scale, 2, &offset, &bytes));
    printf("parameter 2: offset %zu, %zu bytes\n", offset, bytes);
    memcpy(buffer, &array_d, 8);
    memcpy(buffer + 8, &factor, 4);
    memcpy(buffer + offset, &count, bytes);
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    OK(cuLaunchKernel(scale, (N + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));

    CUlaunchConfig config = {};
    config.gridDimX = (N + 127) / 128;
    config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.blockDimX = 128;
    factor = 3;
    OK(cuLaunchKernelEx(&config, scale, params, nullptr));
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(array, array_d, sizeof array));
    printf("%g %g %g\n", array[1], array[499], array[999]);

    SHOW("2000 threads", cuLaunchKernel(scale, 1, 1, 1, 2000, 1, 1, 0, nullptr, params, nullptr));
    SHOW("no blocks", cuLaunchKernel(scale, 0, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr));
    SHOW("both forms", cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, params, extra));
    SHOW("64 KiB shared", cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 65536, nullptr, params, nullptr));
    OK(cuFuncSetAttribute(scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
    count = 1;
    SHOW("opted in", cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 65536, nullptr, params, nullptr));
    OK(cuMemFree(array_d));
    OK(cuModuleUnload(module));
    OK(cuDevicePrimaryCtxRelease(device));
}
