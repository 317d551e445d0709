/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macros, properties, attributes and calls that files of other years ask for */
#if !defined(__CUDACC__) || !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 12 || \
    CUDART_VERSION < 12000
#error "the macros of nvcc are missing"
#endif
#include <cuda.h>
#include <cstdio>
#if CUDA_VERSION < 12000
#error "CUDA_VERSION"
#endif
#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t e = (call);                                                                \
        if (e != cudaSuccess)                                                                  \
            printf("%s %s\n", cudaGetErrorName(e), cudaGetErrorString(e));                     \
    } while (0)
__managed__ int total;
__global__ void k(int *p) { atomicAdd(&total, max(p[0], 3) + min(2u, 3u) + umin(4u, 2u)); }
__host__ __device__ float length(float x) { return rsqrtf(x) + sinpif(x) + normcdfinvf(x); }
int main()
{
    double s, c;
    sincospi(rsqrt(2.0), &s, &c);
    float host[] = {rsqrtf(2.0f), fdividef(1.0f, 3.0f), erfcinvf(0.5f), length(2.0f),
                    max(1, 2) * 1.0f};
    printf("%g %g %g\n", host[0], s, norm3d(s, c, 1.0));
    cudaDeviceProp p;
    int v, blocks;
    size_t bytes;
    CHECK(cudaGetDeviceProperties(&p, 0));
    printf("%zu %zu %d %d %d %d %d\n", p.surfaceAlignment, p.texturePitchAlignment,
           p.maxTexture1DLayered[1], p.maxSurface3D[2], p.ECCEnabled, p.tccDriver, p.hostNumaId);
    cudaDeviceAttr all[] = {cudaDevAttrMaxPitch, cudaDevAttrTextureAlignment, cudaDevAttrPciBusId,
        cudaDevAttrEccEnabled, cudaDevAttrMaxTexture2DWidth, cudaDevAttrGlobalL1CacheSupported,
        cudaDevAttrMemoryPoolsSupported, cudaDevAttrClusterLaunch, cudaDevAttrClockRate};
    for (cudaDeviceAttr a : all)
        CHECK(cudaDeviceGetAttribute(&v, a, 0));
    CHECK(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 1));
    CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20));
    CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, k, 2, 128));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, k, 128, 0, 0));
    cudaMemLocation where = {cudaMemLocationTypeDevice, 0};
    int *m;
    CHECK(cudaMallocManaged(&m, 64, cudaMemAttachHost));
    CHECK(cudaStreamAttachMemAsync(0, m, 0, cudaMemAttachSingle));
    CHECK(cudaMemAdvise(m, 64, cudaMemAdviseSetAccessedBy, where));
    CHECK(cudaMemPrefetchAsync(m, 64, where, 0));
    cudaStreamAttrValue value;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    CHECK(cudaStreamSetAttribute(0, cudaStreamAttributeAccessPolicyWindow, &value));
    k<<<1, 32>>>(m);
    return cudaErrorInvalidDeviceFunction == cudaPeekAtLastError();
}
