// The C++ forms of the runtime, vectors and mathematics in host code.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <map>
#include <random>
#include <string>

__constant__ float factor;
__device__ int table[4];
__managed__ int calls = 3;

struct Pair { int a, b; };

template <class T> __global__ void scale(T *out, T by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = out[i] * by;
}

__global__ void mix(int *out, Pair p, short extra)
{
    namespace cg = cooperative_groups;
    cg::thread_block all = cg::this_thread_block();
    out[all.thread_rank()] = p.a * (int)all.thread_rank() + p.b + extra + table[all.thread_rank() % 4];
    if (all.thread_rank() == 0)
        calls++;
}

template <class F> __global__ void apply(float *out, F f) { out[threadIdx.x] = f(threadIdx.x); }

struct Square {
    float more;
    __host__ __device__ float operator()(float x) const { return x * x + more; }
};

static size_t shared_of(int threads) { return threads * sizeof(int); }

__host__ __device__ static float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static void check(cudaError_t error)
{
    if (error != cudaSuccess)
        printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
}

int main()
{
    // Symbols by reference.
    float two = 2.0f, back = 0;
    int values[4] = {10, 20, 30, 40};
    void *at;
    size_t size;
    check(cudaMemcpyToSymbol(factor, &two, sizeof two));
    check(cudaMemcpyFromSymbol(&back, factor, sizeof back));
    check(cudaMemcpyToSymbolAsync(table, values, sizeof values, 0, cudaMemcpyHostToDevice, 0));
    check(cudaGetSymbolAddress(&at, table));
    check(cudaGetSymbolSize(&size, table));
    printf("factor %g, table of %zu bytes %s\n", back, size, at ? "has an address" : "has none");

    // A kernel by a configuration, and by its arguments' addresses.
    int *out, host[8];
    check(cudaMallocManaged(&out, sizeof host));
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = dim3(8);
    check(cudaLaunchKernelEx(&config, mix, out, Pair{100, 7}, 1));
    check(cudaDeviceSynchronize());
    printf("mix:");
    for (int i = 0; i < 8; i++)
        printf(" %d", out[i]);
    int by = 3, n = 8;
    void *arguments[] = {&out, &by, &n};
    check(cudaLaunchKernel(scale<int>, dim3(1), dim3(8), arguments, 0, 0));
    check(cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault));
    printf("\nscale: %d ... %d, calls %d\n", host[0], host[7], calls);

    // One functor for both sides.
    float *numbers, some[4];
    Square square = {0.5f};
    check(cudaMalloc(&numbers, sizeof some));
    apply<<<1, 4>>>(numbers, square);
    check(cudaGetLastError());
    check(cudaMemcpy(some, numbers, sizeof some, cudaMemcpyDeviceToHost));
    printf("functor: %g %g, on the host %g\n", some[2], some[3], square(4));

    // What is known of a kernel.
    cudaFuncAttributes attributes;
    int blocks, grid, block, grid2, block2;
    check(cudaFuncGetAttributes(&attributes, mix));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mix, 256, 0));
    check(cudaOccupancyMaxPotentialBlockSize(&grid, &block, mix));
    check(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid2, &block2, mix, shared_of, 128));
    printf("at most %d threads, %d blocks, a good block %s, another %d\n",
           attributes.maxThreadsPerBlock, blocks, block >= 128 ? "is large" : "is small", block2);

    // Vectors, mathematics, halves.
    float3 c = cross(make_float3(1, 0, 0), make_float3(0, 1, 0));
    uchar4 colour = make_uchar4(1, 2, 3, 255);
    dim3 d(4, 5);
    printf("cross (%g %g %g), colour %d, dim3 %u %u %u, sizes %zu %zu\n", c.x, c.y, c.z, colour.w,
           d.x, d.y, d.z, sizeof(float4), alignof(int2));
    printf("min %d %g, max %u, rsqrt %g, sinpi %g, normcdf %g, erfinv %.6f\n", min(3, -4),
           min(2.5, 1.5), max(7u, 9u), rsqrtf(16.0f), sinpi(0.5), normcdf(0.0), erfinv(0.5));
    __half h = __float2half(1.5f);
    printf("half %g, %zu bytes\n", __half2float(h), sizeof h);

    // The C++ library.
    std::mt19937 generator(1);
    std::map<std::string, int> ages = {{"Ada", 36}, {"Alan", 41}};
    printf("%s %d %u\n", ages.begin()->first.c_str(), ages["Alan"], (unsigned)generator());
    check(cudaFree(out));
    check(cudaFree(numbers));
    return 0;
}
