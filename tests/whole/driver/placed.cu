// Memory at addresses that the program chooses: two pieces side by side in one range.
// link: -lcuda
#include "check.h"

int main()
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr range;
    CUmemGenericAllocationHandle piece[2];
    size_t unit;
    int value = 0, has = 0;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
    OK(cuCtxCreate(&context, nullptr, 0, device));
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.location.id = device;
    OK(cuMemGetAllocationGranularity(&unit, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    printf("served: %d, unit: %zu\n", has, unit);
    OK(cuMemAddressReserve(&range, 2 * unit, 0, 0, 0));
    SHOW("half a unit", cuMemCreate(&piece[0], unit / 2, &prop, 0));
    for (int i = 0; i < 2; i++) {
        OK(cuMemCreate(&piece[i], unit, &prop, 0));
        OK(cuMemMap(range + i * unit, unit, 0, piece[i], 0));
        OK(cuMemRelease(piece[i])); // what is mapped stays
    }
    SHOW("mapped already", cuMemMap(range, unit, 0, piece[1], 0));
    CUmemAccessDesc access = {};
    access.location = prop.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    OK(cuMemSetAccess(range, 2 * unit, &access, 1));
    OK(cuMemsetD32(range, 1, unit / 4));
    OK(cuMemsetD32(range + unit, 2, unit / 4));
    OK(cuMemcpyDtoH(&value, range + 2 * unit - 4, 4));
    printf("the last one: %d\n", value);
    OK(cuMemUnmap(range, 2 * unit));
    OK(cuMemAddressFree(range, 2 * unit));
    OK(cuCtxDestroy(context));
}
