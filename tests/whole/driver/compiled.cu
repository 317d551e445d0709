// NVRTC: a template by its name, a header from memory, a macro, PTX and cubin.
// link: -lnvrtc -lcuda
#include "check.h"
#include <nvrtc.h>
#include <string>
#include <vector>

static const char source[] = R"(#include "unit.h"
template <typename T, int FACTOR> __global__ void scale(T *array, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        array[i] = array[i] * (T)(FACTOR * UNIT) + (T)EXTRA;
}
__device__ int calls;
extern "C" __global__ void count() { atomicAdd(&calls, 1); }
)";
static const char header[] = "#define UNIT 10\n";

#define NV(call)                                                                                  \
    do {                                                                                          \
        nvrtcResult result_ = (call);                                                             \
        if (result_ != NVRTC_SUCCESS) {                                                           \
            printf("line %d: %s\n", __LINE__, nvrtcGetErrorString(result_));                      \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)

static std::vector<char> compile(const char *arch, std::string *scale)
{
    const char *texts[] = {header}, *names[] = {"unit.h"}, *lowered;
    const char *options[] = {arch, "-DEXTRA=1", "--std=c++17"};
    nvrtcProgram program;
    size_t ptx, cubin;
    NV(nvrtcCreateProgram(&program, source, "scale.cu", 1, texts, names));
    NV(nvrtcAddNameExpression(program, "scale<float, 3>"));
    NV(nvrtcAddNameExpression(program, "&calls"));
    NV(nvrtcCompileProgram(program, 3, options));
    NV(nvrtcGetLoweredName(program, "scale<float, 3>", &lowered));
    *scale = lowered;
    NV(nvrtcGetLoweredName(program, "&calls", &lowered));
    printf("names: %s %s\n", scale->c_str(), lowered);
    NV(nvrtcGetPTXSize(program, &ptx));
    NV(nvrtcGetCUBINSize(program, &cubin));
    printf("PTX: %d, cubin: %d\n", ptx > 100, cubin > 100);
    std::vector<char> image(cubin ? cubin : ptx);
    if (cubin)
        NV(nvrtcGetCUBIN(program, image.data()));
    else
        NV(nvrtcGetPTX(program, image.data()));
    NV(nvrtcDestroyProgram(&program));
    return image;
}

static void run(const std::vector<char> &image, const std::string &name)
{
    enum { N = 100 };
    float array[N];
    CUmodule module;
    CUfunction scale, count;
    CUdeviceptr p, calls;
    int n = N, times;
    OK(cuModuleLoadData(&module, image.data()));
    OK(cuModuleGetFunction(&scale, module, name.c_str()));
    OK(cuModuleGetFunction(&count, module, "count"));
    OK(cuModuleGetGlobal(&calls, nullptr, module, "calls"));
    for (int i = 0; i < N; i++)
        array[i] = (float)i;
    OK(cuMemAlloc(&p, sizeof array));
    OK(cuMemcpyHtoD(p, array, sizeof array));
    void *params[] = {&p, &n};
    OK(cuLaunchKernel(scale, 1, 1, 1, 128, 1, 1, 0, nullptr, params, nullptr));
    OK(cuLaunchKernel(count, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
    OK(cuMemcpyDtoH(array, p, sizeof array));
    OK(cuMemcpyDtoH(&times, calls, sizeof times));
    printf("%g %g, counted %d\n", array[1], array[99], times);
    OK(cuMemFree(p));
    OK(cuModuleUnload(module));
}

int main()
{
    CUdevice device;
    CUcontext context;
    int major, minor, archs;
    char arch[40];
    std::string name;
    NV(nvrtcVersion(&major, &minor));
    NV(nvrtcGetNumSupportedArchs(&archs));
    printf("a version: %d, architectures: %d\n", major > 10, archs > 3);
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    OK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
    OK(cuCtxCreate(&context, nullptr, 0, device));
    snprintf(arch, sizeof arch, "--gpu-architecture=compute_%d%d", major, minor);
    run(compile(arch, &name), name);
    snprintf(arch, sizeof arch, "--gpu-architecture=sm_%d%d", major, minor);
    run(compile(arch, &name), name);
    OK(cuCtxDestroy(context));
}
