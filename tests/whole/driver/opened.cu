// The driver and NVRTC are opened while the program runs, and share the runtime's device.
// link: -ldl
#include <cstdio>
#include <cuda.h>
#include <dlfcn.h>

int main()
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void *compiler = dlopen("libnvrtc.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!driver || !compiler) {
        puts(dlerror());
        return 1;
    }
    auto init = (CUresult(*)(unsigned))dlsym(driver, "cuInit");
    auto find = (CUresult(*)(CUcontext *))dlsym(driver, "cuCtxGetCurrent");
    auto copy = (CUresult(*)(void *, CUdeviceptr, size_t))dlsym(driver, "cuMemcpyDtoH_v2");
    auto text = (const char *(*)(int))dlsym(compiler, "nvrtcGetErrorString");
    CUcontext context = nullptr;
    int *p, value = 0;
    printf("init %d\n", init(0));
    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 1, sizeof *p);
    printf("copy %d\n", copy(&value, (CUdeviceptr)p, sizeof value));
    printf("current %d, value %x\n", find(&context) == CUDA_SUCCESS && context, value);
    puts(text(6));
    cudaFree(p);
}
