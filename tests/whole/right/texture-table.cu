// Texture objects: one on an array with a filter, one on linear memory.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(x)                                                              \
    if ((x) != cudaSuccess) {                                                 \
        std::fprintf(stderr, "line %d failed\n", __LINE__);                   \
        std::exit(1);                                                         \
    }

const int W = 8, H = 4;

// Read the middle of each texel, also outside of the picture.
__global__ void read_points(cudaTextureObject_t tex, float *out)
{
    int x = static_cast<int>(threadIdx.x) - 1;
    int y = static_cast<int>(threadIdx.y) - 1;
    out[threadIdx.y * blockDim.x + threadIdx.x] = tex2D<float>(tex, x + 0.5f, y + 0.5f);
}

// Read halfway between two texels of a row.
__global__ void read_between(cudaTextureObject_t tex, float *out)
{
    int x = threadIdx.x;
    out[x] = tex2D<float>(tex, x + 1.0f, 1.5f);
}

__global__ void follow(cudaTextureObject_t links, int *out)
{
    int at = threadIdx.x;
    for (int k = 0; k < 3; ++k)
        at = tex1Dfetch<int>(links, at);
    out[threadIdx.x] = at;
}

static cudaTextureObject_t make(cudaArray_t array, cudaTextureFilterMode filter)
{
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = array;
    cudaTextureDesc desc = {};
    desc.addressMode[0] = cudaAddressModeClamp;
    desc.addressMode[1] = cudaAddressModeClamp;
    desc.filterMode = filter;
    desc.readMode = cudaReadModeElementType;
    desc.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CHECK(cudaCreateTextureObject(&tex, &res, &desc, nullptr));
    return tex;
}

int main()
{
    float pic[H][W];
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x)
            pic[y][x] = static_cast<float>(10 * y + x * x);

    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, W, H));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, pic, sizeof pic[0], sizeof pic[0], H,
                              cudaMemcpyHostToDevice));
    float *out;
    float host[(W + 2) * (H + 2)];
    CHECK(cudaMalloc(&out, sizeof host));

    cudaTextureObject_t points = make(array, cudaFilterModePoint);
    read_points<<<1, dim3(W + 2, H + 2)>>>(points, out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int y = 0; y < H + 2; ++y) {
        for (int x = 0; x < W + 2; ++x)
            std::printf("%4.0f", host[y * (W + 2) + x]);
        std::printf("\n");
    }

    cudaTextureObject_t linear = make(array, cudaFilterModeLinear);
    read_between<<<1, W - 1>>>(linear, out);
    CHECK(cudaMemcpy(host, out, (W - 1) * sizeof(float), cudaMemcpyDeviceToHost));
    std::printf("between:");
    for (int x = 0; x < W - 1; ++x)
        std::printf(" %.1f", host[x]);
    std::printf("\n");

    // A texture on linear memory. Each item names another item.
    int table[32];
    for (int i = 0; i < 32; ++i)
        table[i] = (i * 5 + 3) % 32;
    int *dtable, *ends;
    CHECK(cudaMalloc(&dtable, sizeof table));
    CHECK(cudaMalloc(&ends, sizeof table));
    CHECK(cudaMemcpy(dtable, table, sizeof table, cudaMemcpyHostToDevice));
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeLinear;
    res.res.linear.devPtr = dtable;
    res.res.linear.desc = cudaCreateChannelDesc<int>();
    res.res.linear.sizeInBytes = sizeof table;
    cudaTextureDesc plain = {};
    plain.readMode = cudaReadModeElementType;
    cudaTextureObject_t links = 0;
    CHECK(cudaCreateTextureObject(&links, &res, &plain, nullptr));
    follow<<<1, 32>>>(links, ends);
    CHECK(cudaMemcpy(table, ends, sizeof table, cudaMemcpyDeviceToHost));
    std::printf("ends: %d %d %d %d\n", table[0], table[1], table[2], table[31]);

    CHECK(cudaDestroyTextureObject(points));
    CHECK(cudaDestroyTextureObject(linear));
    CHECK(cudaDestroyTextureObject(links));
    CHECK(cudaFreeArray(array));
    cudaFree(out);
    cudaFree(dtable);
    cudaFree(ends);
    return 0;
}
