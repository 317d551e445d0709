// Textures of every shape: layers, boxes, cubes, pitched rows; and how they are read.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CK(x)                                                                \
    do {                                                                     \
        cudaError_t e = (x);                                                 \
        if (e != cudaSuccess) {                                              \
            std::printf("%d: %s: %s\n", __LINE__, #x, cudaGetErrorName(e));  \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

__global__ void layers(cudaTextureObject_t t, float *out)
{
    int i = threadIdx.x;
    out[i] = tex2DLayered<float>(t, i % 4 + 0.5f, i / 4 % 2 + 0.5f, i / 8);
}
__global__ void box(cudaTextureObject_t t, float *out)
{
    int i = threadIdx.x;
    out[i] = tex3D<float>(t, i % 2 + 0.5f, i / 2 % 2 + 0.5f, i / 4 + 0.5f);
}
__global__ void faces(cudaTextureObject_t t, float *out)
{
    const float dir[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const float *d = dir[threadIdx.x];
    out[threadIdx.x] = texCubemap<float>(t, d[0], d[1], d[2]);
}
__global__ void wrapped(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex2D<float>(t, (threadIdx.x + 0.5f) / 4, 0.25f);
}
__global__ void bytes(cudaTextureObject_t t, float4 *out) { out[threadIdx.x] = tex2D<float4>(t, threadIdx.x + 0.5f, 0.5f); }
__global__ void line(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1D<float>(t, threadIdx.x * 0.5f + 0.5f); }
__global__ void stamp(cudaSurfaceObject_t s)
{
    surf2DLayeredwrite(100.0f * blockIdx.x + threadIdx.x, s, threadIdx.x * (int)sizeof(float), 1, blockIdx.x);
}

static cudaTextureObject_t texture(const cudaResourceDesc &res, cudaTextureAddressMode mode, bool linear, bool normalized,
                                   cudaTextureReadMode read)
{
    cudaTextureDesc d = {};
    for (auto &m : d.addressMode)
        m = mode;
    d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.readMode = read;
    d.normalizedCoords = normalized;
    cudaTextureObject_t t = 0;
    CK(cudaCreateTextureObject(&t, &res, &d, nullptr));
    return t;
}

static cudaResourceDesc of(cudaArray_t a)
{
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = a;
    return res;
}

static void fill_array(cudaArray_t a, const void *from, size_t texel, cudaExtent e)
{
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(const_cast<void *>(from), e.width * texel, e.width, e.height);
    p.dstArray = a;
    p.extent = e;
    p.kind = cudaMemcpyHostToDevice;
    CK(cudaMemcpy3D(&p));
}

static float host[64];
static float *out;

static void show(const char *what, int n)
{
    CK(cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost));
    std::printf("%s:", what);
    for (int i = 0; i < n; ++i)
        std::printf(" %g", host[i]);
    std::printf("\n");
}

int main()
{
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    float data[24];
    for (int i = 0; i < 24; ++i)
        data[i] = (float)i;
    CK(cudaMalloc(&out, sizeof host));

    cudaArray_t layered, solid, cube, row, copy;
    CK(cudaMalloc3DArray(&layered, &f, make_cudaExtent(4, 2, 3), cudaArrayLayered | cudaArraySurfaceLoadStore));
    fill_array(layered, data, sizeof(float), make_cudaExtent(4, 2, 3));
    cudaTextureObject_t t = texture(of(layered), cudaAddressModeClamp, false, false, cudaReadModeElementType);
    layers<<<1, 24>>>(t, out);
    show("layers", 24);
    cudaSurfaceObject_t s;
    cudaResourceDesc r = of(layered);
    CK(cudaCreateSurfaceObject(&s, &r));
    stamp<<<3, 4>>>(s);
    layers<<<1, 24>>>(t, out);
    show("stamped", 24);
    CK(cudaDestroyTextureObject(t));
    CK(cudaDestroySurfaceObject(s));

    CK(cudaMalloc3DArray(&solid, &f, make_cudaExtent(2, 2, 2)));
    fill_array(solid, data, sizeof(float), make_cudaExtent(2, 2, 2));
    t = texture(of(solid), cudaAddressModeClamp, false, false, cudaReadModeElementType);
    box<<<1, 8>>>(t, out);
    show("box", 8);
    CK(cudaDestroyTextureObject(t));

    CK(cudaMalloc3DArray(&cube, &f, make_cudaExtent(1, 1, 6), cudaArrayCubemap));
    fill_array(cube, data, sizeof(float), make_cudaExtent(1, 1, 6));
    t = texture(of(cube), cudaAddressModeClamp, false, true, cudaReadModeElementType);
    faces<<<1, 6>>>(t, out);
    show("faces", 6);
    CK(cudaDestroyTextureObject(t));

    // Rows with gaps between them.
    float *rows;
    size_t pitch;
    CK(cudaMallocPitch(&rows, &pitch, 4 * sizeof(float), 2));
    CK(cudaMemcpy2D(rows, pitch, data, 4 * sizeof(float), 4 * sizeof(float), 2, cudaMemcpyHostToDevice));
    cudaResourceDesc p = {};
    p.resType = cudaResourceTypePitch2D;
    p.res.pitch2D.devPtr = rows;
    p.res.pitch2D.desc = f;
    p.res.pitch2D.width = 4;
    p.res.pitch2D.height = 2;
    p.res.pitch2D.pitchInBytes = pitch;
    t = texture(p, cudaAddressModeWrap, false, true, cudaReadModeElementType);
    wrapped<<<1, 8>>>(t, out);
    show("wrapped", 8);
    cudaResourceDesc asked;
    CK(cudaGetTextureObjectResourceDesc(&asked, t));
    std::printf("made of these rows: %d\n", asked.res.pitch2D.devPtr == rows);
    CK(cudaDestroyTextureObject(t));
    t = texture(p, cudaAddressModeMirror, false, true, cudaReadModeElementType);
    wrapped<<<1, 8>>>(t, out);
    show("mirrored", 8);
    CK(cudaDestroyTextureObject(t));

    // Bytes read as numbers up to 1.
    uchar4 colours[2] = {{0, 255, 51, 102}, {255, 0, 204, 153}};
    cudaArray_t small;
    cudaChannelFormatDesc c4 = cudaCreateChannelDesc<uchar4>();
    CK(cudaMallocArray(&small, &c4, 2, 1));
    CK(cudaMemcpy2DToArray(small, 0, 0, colours, sizeof colours, sizeof colours, 1, cudaMemcpyHostToDevice));
    t = texture(of(small), cudaAddressModeClamp, false, false, cudaReadModeNormalizedFloat);
    bytes<<<1, 2>>>(t, (float4 *)out);
    show("colours", 8);
    CK(cudaDestroyTextureObject(t));

    // Between the texels of a line.
    CK(cudaMallocArray(&row, &f, 4));
    CK(cudaMemcpy2DToArray(row, 0, 0, data, 4 * sizeof(float), 4 * sizeof(float), 1, cudaMemcpyHostToDevice));
    t = texture(of(row), cudaAddressModeClamp, true, false, cudaReadModeElementType);
    line<<<1, 7>>>(t, out);
    show("between", 7);
    CK(cudaDestroyTextureObject(t));

    // A part of one array into another one, and back.
    CK(cudaMallocArray(&copy, &f, 4, 2));
    float back[2][4];
    std::memset(back, 0, sizeof back);
    CK(cudaMemcpy2DToArray(copy, 0, 0, back, sizeof back[0], sizeof back[0], 2, cudaMemcpyHostToDevice));
    CK(cudaMemcpy2DArrayToArray(copy, 4, 1, row, 4, 0, 3 * sizeof(float), 1));
    CK(cudaMemcpy2DFromArray(back, sizeof back[0], copy, 0, 0, sizeof back[0], 2, cudaMemcpyDeviceToHost));
    std::printf("copied: %g %g %g %g, %g %g %g %g\n", back[0][0], back[0][1], back[0][2], back[0][3], back[1][0],
                back[1][1], back[1][2], back[1][3]);
    cudaChannelFormatDesc df;
    cudaExtent size;
    unsigned flags;
    CK(cudaArrayGetInfo(&df, &size, &flags, layered));
    std::printf("%zu x %zu x %zu, %d bits, layered %d\n", size.width, size.height, size.depth, df.x, (flags & cudaArrayLayered) != 0);

    cudaError_t error = cudaMemcpy2DToArray(copy, 0, 1, back, sizeof back[0], sizeof back[0], 2, cudaMemcpyHostToDevice);
    std::printf("too many rows: %s\n", cudaGetErrorName(error));
    cudaGetLastError();
    for (cudaArray_t a : {layered, solid, cube, row, copy, small})
        CK(cudaFreeArray(a));
    CK(cudaFree(rows));
    CK(cudaFree(out));
    return 0;
}
