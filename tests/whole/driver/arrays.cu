// Arrays of the driver API, which a kernel reads as textures and writes as a surface.
// link: -lcuda
#include "check.h"
#include <cstring>

enum { WIDTH = 8, HEIGHT = 4 };

__global__ void sample(CUtexObject texture, float *out)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[y * WIDTH + x] = tex2D<float>(texture, (x + 0.5f) / WIDTH, (y + 0.5f) / HEIGHT);
}

__global__ void fractions(CUtexObject texture, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

__global__ void whole(CUtexObject texture, int *out)
{
    out[threadIdx.x] = tex1D<int>(texture, threadIdx.x);
}

__global__ void mirror(CUsurfObject surface, CUtexObject texture)
{
    int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite(tex2D<float>(texture, (x + 0.5f) / WIDTH, (y + 0.5f) / HEIGHT), surface,
                (WIDTH - 1 - x) * (int)sizeof(float), y);
}

static CUarray plane(unsigned flags)
{
    CUarray array;
    CUDA_ARRAY3D_DESCRIPTOR d = {};
    d.Width = WIDTH;
    d.Height = HEIGHT;
    d.Format = CU_AD_FORMAT_FLOAT;
    d.NumChannels = 1;
    d.Flags = flags;
    OK(cuArray3DCreate(&array, &d));
    return array;
}

static void copy(CUarray array, float *host, bool to_array)
{
    CUDA_MEMCPY2D c = {};
    c.srcMemoryType = to_array ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
    c.dstMemoryType = to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
    c.srcHost = c.dstHost = host;
    c.srcArray = c.dstArray = array;
    c.srcPitch = c.dstPitch = WIDTH * sizeof(float);
    c.WidthInBytes = WIDTH * sizeof(float);
    c.Height = HEIGHT;
    OK(cuMemcpy2D(&c));
}

int main()
{
    CUdevice device;
    CUcontext context;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));

    float host[WIDTH * HEIGHT], back[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        host[i] = (float)(i * i % 23);
    CUarray from = plane(0), to = plane(CUDA_ARRAY3D_SURFACE_LDST);
    copy(from, host, true);
    CUDA_ARRAY_DESCRIPTOR told;
    OK(cuArrayGetDescriptor(&told, from));
    printf("%zu by %zu, format 0x%x, channels %u\n", told.Width, told.Height, (int)told.Format,
           told.NumChannels);

    // Where the coordinates are fractions, the texture wraps around.
    CUDA_RESOURCE_DESC resource = {};
    CUDA_TEXTURE_DESC how = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = from;
    how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_WRAP;
    how.filterMode = CU_TR_FILTER_MODE_LINEAR;
    how.flags = CU_TRSF_NORMALIZED_COORDINATES;
    CUtexObject texture;
    OK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
    CUdeviceptr out;
    OK(cuMemAlloc(&out, sizeof back));
    sample<<<1, dim3(WIDTH, HEIGHT)>>>(texture, (float *)out);
    OK(cuMemcpyDtoH(back, out, sizeof back));
    printf("the texels: %d\n", memcmp(host, back, sizeof back) == 0);

    CUDA_RESOURCE_DESC written = resource;
    written.res.array.hArray = to;
    CUsurfObject surface;
    OK(cuSurfObjectCreate(&surface, &written));
    mirror<<<1, dim3(WIDTH, HEIGHT)>>>(surface, texture);
    copy(to, back, false);
    printf("mirrored: %g %g %g, at first %g %g %g\n", back[0], back[1], back[2], host[WIDTH - 1],
           host[WIDTH - 2], host[WIDTH - 3]);
    OK(cuSurfObjectDestroy(surface));
    OK(cuTexObjectDestroy(texture));

    // Bytes of linear memory are read as fractions, unless the program wants integers.
    unsigned char bytes[4] = {0, 51, 102, 255};
    float parts[4];
    OK(cuMemcpyHtoD(out, bytes, sizeof bytes));
    resource = {};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = out;
    resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = sizeof bytes;
    how = {};
    OK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
    CUdeviceptr results;
    OK(cuMemAlloc(&results, sizeof parts));
    fractions<<<1, 4>>>(texture, (float *)results);
    OK(cuMemcpyDtoH(parts, results, sizeof parts));
    printf("fractions: %.2f %.2f %.2f %.2f\n", parts[0], parts[1], parts[2], parts[3]);
    OK(cuTexObjectDestroy(texture));

    CUarray row;
    CUDA_ARRAY_DESCRIPTOR d = {WIDTH, 0, CU_AD_FORMAT_SIGNED_INT32, 1};
    int numbers[WIDTH] = {3, -1, 4, -1, 5, -9, 2, 6}, read[WIDTH];
    OK(cuArrayCreate(&row, &d));
    OK(cuMemcpyHtoA(row, 0, numbers, sizeof numbers));
    resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = row;
    how.flags = CU_TRSF_READ_AS_INTEGER;
    OK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
    whole<<<1, WIDTH>>>(texture, (int *)out);
    OK(cuMemcpyDtoH(read, out, sizeof read));
    printf("integers: %d\n", memcmp(numbers, read, sizeof read) == 0);
    OK(cuMemcpyAtoH(read, row, 2 * sizeof(int), 3 * sizeof(int)));
    printf("a part of the row: %d %d %d\n", read[0], read[1], read[2]);
    OK(cuTexObjectDestroy(texture));

    d.NumChannels = 3;
    SHOW("three channels", cuArrayCreate(&row, &d));
    OK(cuArrayDestroy(row));
    OK(cuArrayDestroy(from));
    OK(cuArrayDestroy(to));
    OK(cuMemFree(out));
    OK(cuMemFree(results));
    OK(cuDevicePrimaryCtxRelease(device));
}
