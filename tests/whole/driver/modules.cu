// Modules: variables, kernels by number, what is missing, PTX that is wrong, and a file.
// link: -lcuda
#include "check.h"
#include <cstring>

static const char two_kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 counter = 40;
.visible .const .align 4 .u32 step = 2;
.visible .entry count()
{
    .reg .b32 %r<3>;
    ld.global.u32 %r1, [counter];
    ld.const.u32 %r2, [step];
    add.u32 %r1, %r1, %r2;
    st.global.u32 [counter], %r1;
    ret;
}
.visible .entry nothing()
{
    ret;
}
)";
static const char broken[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                             ".visible .entry k()\n{\n    ret\n";

int main()
{
    CUdevice device;
    CUcontext context;
    CUmodule module, other;
    CUfunction f, all[3];
    CUdeviceptr counter, step, none = 1;
    size_t bytes;
    unsigned n;
    int value, more = 5;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate(&context, nullptr, 0, device));

    char log[1000] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    SHOW("broken PTX", cuModuleLoadDataEx(&module, broken, 2, options, values));
    printf("the log says why: %d\n", strlen(log) > 10);
    SHOW("no file", cuModuleLoad(&module, "none.ptx"));

    OK(cuModuleLoadData(&module, two_kernels));
    OK(cuModuleGetGlobal(&counter, &bytes, module, "counter"));
    printf("counter: %zu bytes\n", bytes);
    OK(cuModuleGetGlobal(&step, nullptr, module, "step"));
    SHOW("no variable", cuModuleGetGlobal(&none, nullptr, module, "counters"));
    printf("and no address: %d\n", none == 0);
    SHOW("no kernel", cuModuleGetFunction(&f, module, "counts"));
    OK(cuModuleGetFunction(&f, module, "count"));
    OK(cuModuleGetFunctionCount(&n, module));
    OK(cuModuleEnumerateFunctions(all, n, module));
    printf("%u kernels\n", n);
    const char *name;
    OK(cuFuncGetName(&name, f));
    printf("f is %s\n", name);

    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    OK(cuMemcpyHtoD(step, &more, sizeof more));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    OK(cuMemcpyDtoH(&value, counter, sizeof value));
    printf("counter: %d\n", value);

    // The same text again is another module, with variables of its own.
    FILE *file = fopen("two.ptx", "w");
    fputs(two_kernels, file);
    fclose(file);
    OK(cuModuleLoad(&other, "two.ptx"));
    OK(cuModuleGetFunction(&f, other, "count"));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    OK(cuModuleGetGlobal(&counter, nullptr, other, "counter"));
    OK(cuMemcpyDtoH(&value, counter, sizeof value));
    printf("counter: %d\n", value);
    OK(cuModuleUnload(other));
    OK(cuModuleUnload(module));
    OK(cuCtxDestroy(context));
}
