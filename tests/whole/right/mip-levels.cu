// A map in several scales: each level of a mipmapped array has its own height of the ground, so the
// results say which levels were read. Then a surface writes a level, and a second one reads it.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t error = (call);                                                              \
        if (error != cudaSuccess) {                                                              \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));                          \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

const int WANTED = 10;

__global__ void by_level(cudaTextureObject_t map, const float *levels, float *out)
{
    const int i = threadIdx.x;
    out[i] = tex2DLod<float>(map, 0.5f, 0.5f, levels[i]);
}

__global__ void by_distance(cudaTextureObject_t map, const float *texels, float *out)
{
    const int i = threadIdx.x;
    const float d = texels[i] / 16;
    out[i] = tex2DGrad<float>(map, 0.5f, 0.5f, make_float2(d, 0), make_float2(0, d));
}

__global__ void other_shapes(cudaTextureObject_t line, cudaTextureObject_t solid,
                             cudaTextureObject_t layers, float *out)
{
    out[0] = tex1DLod<float>(line, 0.5f, 0);
    out[1] = tex1DLod<float>(line, 0.5f, 1);
    out[2] = tex1DLod<float>(line, 0.5f, 3);
    out[3] = tex3DLod<float>(solid, 0.5f, 0.5f, 0.5f, 1);
    out[4] = tex3DLod<float>(solid, 0.5f, 0.5f, 0.5f, 2);
    out[5] = tex2DLayeredLod<float>(layers, 0.5f, 0.5f, 0, 1);
    out[6] = tex2DLayeredLod<float>(layers, 0.5f, 0.5f, 1, 1);
    out[7] = tex2DLayeredLod<float>(layers, 0.5f, 0.5f, 1, 2);
}

__global__ void halve(cudaTextureObject_t from, cudaSurfaceObject_t to, int size)
{
    const int x = threadIdx.x, y = threadIdx.y;
    const float u = (x + 0.5f) / size, v = (y + 0.5f) / size;
    surf2Dwrite(tex2D<float>(from, u, v), to, x * (int)sizeof(float), y);
}

// Fills all texels of the levels: level l, slice s has first * (l + 1) + s.
static cudaMipmappedArray_t pyramid(cudaExtent e, unsigned levels, unsigned flags, float first)
{
    cudaMipmappedArray_t all;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocMipmappedArray(&all, &format, e, levels, flags));
    for (unsigned l = 0; l < levels; l++) {
        cudaArray_t level;
        cudaExtent here;
        CHECK(cudaGetMipmappedArrayLevel(&level, all, l));
        CHECK(cudaArrayGetInfo(nullptr, &here, nullptr, level));
        printf(" %zux%zux%zu", here.width, here.height, here.depth);
        const size_t rows = here.height ? here.height : 1, slices = here.depth ? here.depth : 1;
        std::vector<float> texels(here.width * rows * slices);
        for (size_t i = 0; i < texels.size(); i++)
            texels[i] = first * (l + 1) + i / (here.width * rows);
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(texels.data(), here.width * sizeof(float), here.width,
                                          rows);
        copy.dstArray = level;
        copy.extent = make_cudaExtent(here.width, rows, slices);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy));
    }
    printf("\n");
    return all;
}

static cudaTextureObject_t texture(cudaMipmappedArray_t all, cudaTextureFilterMode between,
                                   float least, float most, float bias)
{
    cudaTextureObject_t t;
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeMipmappedArray;
    what.res.mipmap.mipmap = all;
    cudaTextureDesc how = {};
    for (int i = 0; i < 3; i++)
        how.addressMode[i] = cudaAddressModeClamp;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = 1;
    how.mipmapFilterMode = between;
    how.minMipmapLevelClamp = least;
    how.maxMipmapLevelClamp = most;
    how.mipmapLevelBias = bias;
    CHECK(cudaCreateTextureObject(&t, &what, &how, nullptr));
    return t;
}

static float *in, *out, *host;

static void show(const char *what, int n)
{
    CHECK(cudaMemcpy(host, out, n * sizeof *host, cudaMemcpyDeviceToHost));
    printf("%-22s", what);
    for (int i = 0; i < n; i++)
        printf(" %g", host[i]);
    printf("\n");
}

static void show_levels(const char *what, cudaMipmappedArray_t all, cudaTextureFilterMode between,
                        float least, float most, float bias)
{
    const float wanted[WANTED] = {0, 0.25f, 0.75f, 1, 1.25f, 1.75f, 2.5f, 4, 9, -2};
    cudaTextureObject_t t = texture(all, between, least, most, bias);
    CHECK(cudaMemcpy(in, wanted, sizeof wanted, cudaMemcpyHostToDevice));
    by_level<<<1, WANTED>>>(t, in, out);
    CHECK(cudaGetLastError());
    show(what, WANTED);
    CHECK(cudaDestroyTextureObject(t));
}

int main()
{
    CHECK(cudaMalloc(&in, WANTED * sizeof *in));
    CHECK(cudaMalloc(&out, WANTED * sizeof *out));
    host = (float *)malloc(WANTED * sizeof *host);

    printf("levels:");
    cudaMipmappedArray_t map = pyramid(make_cudaExtent(16, 16, 0), 5, 0, 256);
    show_levels("between levels", map, cudaFilterModeLinear, 0, 4, 0);
    show_levels("one to two", map, cudaFilterModeLinear, 1, 2, 0);
    show_levels("half a level more", map, cudaFilterModeLinear, 0, 4, 0.5f);

    cudaTextureObject_t nearest = texture(map, cudaFilterModePoint, 0, 4, 0);
    const float wanted[] = {0, 0.25f, 0.75f, 1, 1.25f, 1.75f, 2.75f, 4, 9, -2};
    CHECK(cudaMemcpy(in, wanted, sizeof wanted, cudaMemcpyHostToDevice));
    by_level<<<1, WANTED>>>(nearest, in, out);
    show("nearest level", WANTED);
    const float texels[] = {0.5f, 1, 2, 4, 8, 16, 64};
    CHECK(cudaMemcpy(in, texels, sizeof texels, cudaMemcpyHostToDevice));
    by_distance<<<1, 7>>>(nearest, in, out);
    show("by distance", 7);

    printf("levels:");
    cudaMipmappedArray_t line = pyramid(make_cudaExtent(8, 0, 0), 4, 0, 10);
    printf("levels:");
    cudaMipmappedArray_t solid = pyramid(make_cudaExtent(4, 8, 2), 3, 0, 100);
    printf("levels:");
    cudaMipmappedArray_t layers = pyramid(make_cudaExtent(4, 4, 2), 3, cudaArrayLayered, 1000);
    cudaTextureObject_t t1 = texture(line, cudaFilterModePoint, 0, 9, 0);
    cudaTextureObject_t t3 = texture(solid, cudaFilterModePoint, 0, 9, 0);
    cudaTextureObject_t tl = texture(layers, cudaFilterModePoint, 0, 9, 0);
    other_shapes<<<1, 1>>>(t1, t3, tl, out);
    show("other shapes", 8);

    printf("levels:");
    cudaMipmappedArray_t made = pyramid(make_cudaExtent(4, 4, 0), 3, cudaArraySurfaceLoadStore, 0);
    float picture[16], half[4];
    for (int i = 0; i < 16; i++)
        picture[i] = i * i;
    cudaArray_t level[2];
    CHECK(cudaGetMipmappedArrayLevel(&level[0], made, 0));
    CHECK(cudaGetMipmappedArrayLevel(&level[1], made, 1));
    CHECK(cudaMemcpy2DToArray(level[0], 0, 0, picture, 16, 16, 4, cudaMemcpyHostToDevice));
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = level[1];
    cudaSurfaceObject_t to;
    CHECK(cudaCreateSurfaceObject(&to, &what));
    what.res.array.array = level[0];
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    how.normalizedCoords = 1;
    cudaTextureObject_t from;
    CHECK(cudaCreateTextureObject(&from, &what, &how, nullptr));
    halve<<<1, dim3(2, 2)>>>(from, to, 2);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2DFromArray(half, 8, level[1], 0, 0, 8, 2, cudaMemcpyDeviceToHost));
    printf("half the size: %g %g %g %g\n", half[0], half[1], half[2], half[3]);

    cudaArray_t none;
    printf("level 3 of 3: %s\n", cudaGetErrorName(cudaGetMipmappedArrayLevel(&none, made, 3)));
    CHECK(cudaDestroyTextureObject(from));
    CHECK(cudaDestroySurfaceObject(to));
    for (cudaTextureObject_t t : {nearest, t1, t3, tl})
        CHECK(cudaDestroyTextureObject(t));
    for (cudaMipmappedArray_t all : {map, line, solid, layers, made})
        CHECK(cudaFreeMipmappedArray(all));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    free(host);
    return 0;
}
