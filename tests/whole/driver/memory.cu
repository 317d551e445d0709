// Memory: filling by elements, copies of rows and boxes, what is known of an address.
// link: -lcuda
#include "check.h"

int main()
{
    enum { WIDTH = 5, HEIGHT = 3, DEPTH = 2 };
    CUdevice device;
    CUcontext context;
    CUdeviceptr p, rows, from, managed, mapped;
    size_t pitch, bytes, left, total;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate(&context, nullptr, 0, device));

    unsigned char bytes_h[16];
    OK(cuMemAlloc(&p, 16));
    OK(cuMemsetD8(p, 0xab, 16));
    OK(cuMemsetD16(p, 0x1234, 3));
    OK(cuMemsetD32(p + 8, 0xdeadbeef, 1));
    OK(cuMemcpyDtoH(bytes_h, p, 16));
    for (int i = 0; i < 16; i++)
        printf("%02x", bytes_h[i]);
    puts("");
    SHOW("an address that is odd", cuMemsetD32(p + 1, 0, 1));
    SHOW("no bytes", cuMemAlloc(&from, 0));
    OK(cuMemGetAddressRange(&from, &bytes, p + 7));
    printf("from its start: %llu, %zu bytes\n", p + 7 - from, bytes);
    OK(cuMemGetInfo(&left, &total));
    printf("some is taken: %d\n", left < total);

    int array[HEIGHT][WIDTH], back[DEPTH][HEIGHT][WIDTH];
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        array[i / WIDTH][i % WIDTH] = i;
    OK(cuMemAllocPitch(&rows, &pitch, WIDTH * sizeof(int), HEIGHT * DEPTH, 4));
    printf("rows have a gap: %d\n", pitch > WIDTH * sizeof(int));
    CUDA_MEMCPY2D c = {};
    c.srcMemoryType = CU_MEMORYTYPE_HOST;
    c.srcHost = array;
    c.srcPitch = sizeof array[0];
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.dstDevice = rows;
    c.dstPitch = pitch;
    c.WidthInBytes = sizeof array[0];
    c.Height = HEIGHT;
    OK(cuMemcpy2D(&c));
    c.dstY = HEIGHT; // the second plane, from the second column on
    c.srcXInBytes = sizeof(int);
    c.WidthInBytes = (WIDTH - 1) * sizeof(int);
    OK(cuMemsetD2D32(rows + HEIGHT * pitch, pitch, 77, WIDTH, HEIGHT));
    OK(cuMemcpy2D(&c));
    c.WidthInBytes = 2 * sizeof array[0];
    SHOW("more than a row", cuMemcpy2D(&c));
    CUDA_MEMCPY3D box = {};
    box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    box.srcDevice = rows;
    box.srcPitch = pitch;
    box.srcHeight = HEIGHT;
    box.dstMemoryType = CU_MEMORYTYPE_HOST;
    box.dstHost = back;
    box.dstPitch = sizeof back[0][0];
    box.dstHeight = HEIGHT;
    box.WidthInBytes = sizeof back[0][0];
    box.Height = HEIGHT;
    box.Depth = DEPTH;
    OK(cuMemcpy3D(&box));
    for (int z = 0; z < DEPTH; z++)
        printf("%d %d %d\n", back[z][0][0], back[z][1][2], back[z][2][4]);

    int *host;
    unsigned type, is_managed;
    void *host_pointer;
    OK(cuMemHostAlloc((void **)&host, 64, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&mapped, host, 0));
    OK(cuMemsetD32(mapped, 9, 16));
    OK(cuCtxSynchronize());
    printf("pinned: %d\n", host[15]);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, mapped));
    OK(cuPointerGetAttribute(&host_pointer, CU_POINTER_ATTRIBUTE_HOST_POINTER, mapped));
    printf("on the host: %d, the same: %d\n", type == CU_MEMORYTYPE_HOST, host_pointer == host);
    OK(cuMemAllocManaged(&managed, 16, CU_MEM_ATTACH_GLOBAL));
    CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
    void *out[] = {&is_managed, &type};
    OK(cuPointerGetAttributes(2, which, out, managed));
    printf("managed: %u, of the device: %d\n", is_managed, type == CU_MEMORYTYPE_DEVICE);
    SHOW("memory of the program", cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                                        (CUdeviceptr)array));
    OK(cuMemFree(managed));
    OK(cuMemFreeHost(host));
    OK(cuMemFree(rows));
    OK(cuMemFree(p));
    OK(cuCtxDestroy(context));
}
