// Two texts of PTX are linked; a variable and a function are declared in one, defined in the other.
// link: -lcuda
#include "check.h"
#include <cstring>

static const char user[] = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 out) square(.param .b32 in);
.visible .entry use(.param .u64 at)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [at];
    ld.global.u32 %r1, [%rd1];
    {
        .param .b32 in;
        .param .b32 out;
        st.param.b32 [in], %r1;
        call.uni (out), square, (in);
        ld.param.b32 %r2, [out];
    }
    st.global.u32 [%rd1], %r2;
    ret;
}
)";
static const char squares[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b32 out) square(.param .b32 in)
{
    .reg .b32 %r<2>;
    ld.param.b32 %r1, [in];
    mul.lo.u32 %r1, %r1, %r1;
    st.param.b32 [out], %r1;
    ret;
}
)";

int main()
{
    CUdevice device;
    CUcontext context;
    CUlinkState state;
    CUmodule module;
    CUfunction f;
    CUdeviceptr p;
    void *image;
    size_t bytes;
    int value = 12;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate(&context, nullptr, 0, device));
    OK(cuLinkCreate(0, nullptr, nullptr, &state));
    OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)user, sizeof user, "user", 0, nullptr,
                     nullptr));
    OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)squares, sizeof squares, "squares", 0,
                     nullptr, nullptr));
    OK(cuLinkComplete(state, &image, &bytes));
    printf("an image: %d\n", bytes > 0);
    OK(cuModuleLoadData(&module, image));
    OK(cuLinkDestroy(state));
    OK(cuModuleGetFunction(&f, module, "use"));
    OK(cuMemAlloc(&p, sizeof value));
    OK(cuMemcpyHtoD(p, &value, sizeof value));
    void *params[] = {&p};
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
    OK(cuMemcpyDtoH(&value, p, sizeof value));
    printf("%d\n", value);
    OK(cuMemFree(p));

    // Defined twice.
    char log[1000] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    OK(cuLinkCreate(2, options, values, &state));
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < 2 && result == CUDA_SUCCESS; i++)
        result = cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)squares, sizeof squares, "squares",
                               0, nullptr, nullptr);
    if (result == CUDA_SUCCESS)
        result = cuLinkComplete(state, &image, &bytes);
    printf("twice fails: %d, the log has the name: %d\n", name_of(result) && result != CUDA_SUCCESS,
           strstr(log, "square") != nullptr);
    OK(cuLinkDestroy(state));
    OK(cuCtxDestroy(context));
}
