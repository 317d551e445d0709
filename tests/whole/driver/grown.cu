// An array that grows: more memory is mapped behind the memory that is there.
// link: -lcuda
#include "check.h"
#include <vector>

// Numbers on both sides of a border between two pieces.
__global__ void cross(int *border) { border[(int)threadIdx.x - 32] = threadIdx.x; }

int main()
{
    enum { PIECES = 3 };
    CUdevice device;
    CUcontext context;
    CUmemGenericAllocationHandle piece[PIECES];
    CUmemAllocationProp how = {};
    CUdeviceptr array;
    size_t unit;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    how.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    how.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    how.location.id = device;
    OK(cuMemGetAllocationGranularity(&unit, &how, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    const CUmemAccessDesc access = {how.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    OK(cuMemAddressReserve(&array, PIECES * unit, 0, 0, 0));

    // Two pieces become accessible at once, and the third one later.
    for (int i = 0; i < 2; i++) {
        OK(cuMemCreate(&piece[i], unit, &how, 0));
        OK(cuMemMap(array + i * unit, unit, 0, piece[i], 0));
    }
    OK(cuMemSetAccess(array, 2 * unit, &access, 1));
    OK(cuMemsetD32(array, 5, 2 * unit / sizeof(int)));
    cross<<<1, 64>>>((int *)(array + unit));
    OK(cuMemCreate(&piece[2], unit, &how, 0));
    OK(cuMemMap(array + 2 * unit, unit, 0, piece[2], 0));
    OK(cuMemSetAccess(array + 2 * unit, unit, &access, 1));
    OK(cuMemsetD32(array + 2 * unit, 6, unit / sizeof(int)));
    cross<<<1, 64>>>((int *)(array + 2 * unit));

    const size_t each = unit / sizeof(int);
    std::vector<int> host(PIECES * each);
    OK(cuMemcpyDtoH(host.data(), array, PIECES * unit));
    int differ = 0;
    for (size_t i = 0; i < host.size(); i++) {
        int wanted = i < 2 * each ? 5 : 6;
        for (size_t border = each; border <= 2 * each; border += each)
            if (i + 32 >= border && i < border + 32)
                wanted = (int)(i + 32 - border);
        differ += host[i] != wanted;
    }
    printf("%d numbers differ\n", differ);

    unsigned long long flags;
    const CUmemLocation here = how.location;
    OK(cuMemGetAccess(&flags, &here, array + unit));
    printf("read and written: %d\n", flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuMemUnmap(array, PIECES * unit));
    for (int i = 0; i < PIECES; i++)
        OK(cuMemRelease(piece[i]));
    OK(cuMemAddressFree(array, PIECES * unit));
    OK(cuDevicePrimaryCtxRelease(device));
}
