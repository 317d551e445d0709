// The same texels seen in other ways: as numbers of another kind, and some of the levels.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t error = (call);                                                              \
        if (error != cudaSuccess) {                                                              \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));                          \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

const int W = 8, H = 4;

__global__ void read_plain(cudaTextureObject_t t, float *out)
{
    const int x = threadIdx.x, y = threadIdx.y;
    out[y * W + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
}

__global__ void read_levels(cudaTextureObject_t t, unsigned *out)
{
    for (int l = 0; l < 3; l++)
        out[l] = tex2DLod<unsigned>(t, 0.5f, 0.5f, l);
}

static cudaTextureDesc reading(bool normalized)
{
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = normalized;
    how.maxMipmapLevelClamp = 10;
    return how;
}

int main()
{
    void *out;
    CHECK(cudaMalloc(&out, 1024));
    cudaTextureObject_t t;
    cudaResourceDesc what = {};
    cudaResourceViewDesc view = {}, told;

    // unsigned numbers that are the bits of floats
    cudaArray_t bits;
    const cudaChannelFormatDesc word = cudaCreateChannelDesc<unsigned>();
    CHECK(cudaMallocArray(&bits, &word, W, H));
    float given[H * W], seen[H * W];
    for (int i = 0; i < H * W; i++)
        given[i] = i * 0.75f - 3;
    CHECK(cudaMemcpy2DToArray(bits, 0, 0, given, W * 4, W * 4, H, cudaMemcpyHostToDevice));
    what.resType = cudaResourceTypeArray;
    what.res.array.array = bits;
    view.format = cudaResViewFormatFloat1;
    view.width = W;
    view.height = H;
    cudaTextureDesc how = reading(false);
    CHECK(cudaCreateTextureObject(&t, &what, &how, &view));
    read_plain<<<1, dim3(W, H)>>>(t, (float *)out);
    CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
    printf("as floats: %g %g ... %g, %s\n", seen[0], seen[1], seen[H * W - 1],
           memcmp(seen, given, sizeof seen) ? "others" : "the same bits");
    CHECK(cudaGetTextureObjectResourceViewDesc(&told, t));
    printf("the view: format %d, %zu x %zu\n", told.format == view.format, told.width,
           told.height);
    CHECK(cudaDestroyTextureObject(t));

    // levels 1 and 2 of 4
    cudaMipmappedArray_t levels;
    CHECK(cudaMallocMipmappedArray(&levels, &word, make_cudaExtent(8, 8, 0), 4));
    for (unsigned l = 0; l < 4; l++) {
        const unsigned size = 8 >> l;
        std::vector<unsigned> filled(size * size, 100 + l);
        cudaArray_t level;
        CHECK(cudaGetMipmappedArrayLevel(&level, levels, l));
        CHECK(cudaMemcpy2DToArray(level, 0, 0, filled.data(), size * 4, size * 4, size,
                                  cudaMemcpyHostToDevice));
    }
    what.resType = cudaResourceTypeMipmappedArray;
    what.res.mipmap.mipmap = levels;
    view = {};
    view.format = cudaResViewFormatUnsignedInt1;
    view.width = view.height = 8;
    view.firstMipmapLevel = 1;
    view.lastMipmapLevel = 2;
    how = reading(true);
    CHECK(cudaCreateTextureObject(&t, &what, &how, &view));
    unsigned level[3];
    read_levels<<<1, 1>>>(t, (unsigned *)out);
    CHECK(cudaMemcpy(level, out, sizeof level, cudaMemcpyDeviceToHost));
    printf("levels: %u %u %u\n", level[0], level[1], level[2]);
    CHECK(cudaDestroyTextureObject(t));

    CHECK(cudaFreeMipmappedArray(levels));
    CHECK(cudaFreeArray(bits));
    CHECK(cudaFree(out));
    return 0;
}
