// Functions by their names, from the driver and from the runtime.
// link: -lcuda
#include "check.h"

typedef CUresult (*get_count)(int *);

int main()
{
    void *function;
    CUdriverProcAddressQueryResult found;
    cudaDriverEntryPointQueryResult entry;
    OK(cuInit(0));
    OK(cuGetProcAddress("cuMemAlloc", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
    printf("found %d, the second form: %d\n", found, function == (void *)cuMemAlloc_v2);
    OK(cuGetProcAddress("cuNothing", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
    printf("not found %d, %d\n", found, function == nullptr);
    OK(cuGetProcAddress("cuCtxCreate", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
    printf("of CUDA 12.0: %d\n", function && function != (void *)cuCtxCreate_v4);
    OK(cuGetProcAddress("cuCtxCreate", &function, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
    printf("of CUDA 13.0: %d\n", function == (void *)cuCtxCreate_v4);
    cudaGetDriverEntryPointByVersion("cuDeviceGetCount", &function, 12000, cudaEnableDefault,
                                     &entry);
    int count = 0;
    OK(((get_count)function)(&count));
    printf("entry %d, devices: %d\n", entry, count > 0);
}
