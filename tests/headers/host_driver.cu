/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host code of the driver API, and memory that a program maps itself */
#include <cuda.h>
#include <stdio.h>

__global__ void k(float *p) { p[0] = 1; }

int main()
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr at, room;
    CUmemGenericAllocationHandle memory;
    CUmemAllocationProp wanted = {};
    CUmemAccessDesc access = {};
    size_t step;
    int count;
    const char *text;
    CUresult result = cuInit(0);
    cuDeviceGet(&device, 0);
    cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
    cuCtxCreate(&context, 0, device);
    cuModuleLoad(&module, "k.ptx");
    cuModuleGetFunction(&function, module, "k");
    cuMemAlloc(&at, 4);
    void *arguments[] = {&at};
    cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 16);
    cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL);
    cuMemcpyDtoH(&count, at, 4);
    if (result != CUDA_SUCCESS && cuGetErrorString(result, &text) == CUDA_SUCCESS)
        printf("%s\n", text);
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    cuMemGetAllocationGranularity(&step, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    cuMemCreate(&memory, step, &wanted, 0);
    cuMemAddressReserve(&room, step, 0, 0, 0);
    cuMemMap(room, step, 0, memory, 0);
    access.location = wanted.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    cuMemSetAccess(room, step, &access, 1);
    cuCtxDestroy(context);
    return 0;
}
