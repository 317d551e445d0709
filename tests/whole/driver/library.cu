// A library of kernels that the program loads itself, by the runtime and by the driver API.
// link: -lcuda
#include "check.h"

static const char text[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 total = 5;
.visible .entry add(.param .u32 what)
{
    .reg .b32 %r<3>;
    ld.param.u32 %r1, [what];
    ld.global.u32 %r2, [total];
    add.u32 %r2, %r2, %r1;
    st.global.u32 [total], %r2;
    ret;
}
)";

#define NAMED(what, call) printf("%s: %s\n", what, cudaGetErrorName(call))

int main()
{
    cudaLibrary_t library;
    cudaKernel_t kernel, all[2];
    void *total;
    size_t bytes;
    unsigned count;
    int what = 37, value;
    NAMED("load", cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
    NAMED("kernel", cudaLibraryGetKernel(&kernel, library, "add"));
    NAMED("no kernel", cudaLibraryGetKernel(&all[0], library, "adds"));
    cudaLibraryGetKernelCount(&count, library);
    cudaLibraryEnumerateKernels(all, 1, library);
    printf("%u kernel, the same: %d\n", count, all[0] == kernel);
    NAMED("variable", cudaLibraryGetGlobal(&total, &bytes, library, "total"));
    NAMED("no variable", cudaLibraryGetGlobal(&total, nullptr, library, "totals"));
    cudaLibraryGetGlobal(&total, &bytes, library, "total");
    void *params[] = {&what};
    NAMED("launch", cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), params, 0, nullptr));
    cudaMemcpy(&value, total, sizeof value, cudaMemcpyDeviceToHost);
    printf("%zu bytes: %d\n", bytes, value);

    // The driver knows the kernel, too.
    OK(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
    cudaMemcpy(&value, total, sizeof value, cudaMemcpyDeviceToHost);
    printf("and again: %d\n", value);
    NAMED("unload", cudaLibraryUnload(library));
}
