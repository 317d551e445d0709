// Managed memory with advice and prefetch. Works with old and new signatures.
#include <cstdio>
#include <cuda_runtime.h>

static cudaError_t prefetch(const void *p, size_t bytes, bool to_host)
{
#if CUDART_VERSION >= 13000
    cudaMemLocation where = {};
    where.type = to_host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    where.id = 0;
    return cudaMemPrefetchAsync(p, bytes, where, 0, 0);
#else
    return cudaMemPrefetchAsync(p, bytes, to_host ? cudaCpuDeviceId : 0, 0);
#endif
}

static cudaError_t advise(const void *p, size_t bytes, cudaMemoryAdvise what)
{
#if CUDART_VERSION >= 13000
    cudaMemLocation where = {};
    where.type = cudaMemLocationTypeDevice;
    where.id = 0;
    return cudaMemAdvise(p, bytes, what, where);
#else
    return cudaMemAdvise(p, bytes, what, 0);
#endif
}

__global__ void lookup(const int *table, int size, int *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = table[v[i] % size];
}

static int errors = 0;

static void ok(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorName(e));
        ++errors;
    }
}

int main()
{
    const int size = 100, n = 3000;
    int *table, *v;
    ok(cudaMallocManaged(&table, size * sizeof(int)), "table");
    ok(cudaMallocManaged(&v, n * sizeof(int), cudaMemAttachGlobal), "values");
    for (int i = 0; i < size; ++i)
        table[i] = i * i;
    for (int i = 0; i < n; ++i)
        v[i] = i;

    ok(advise(table, size * sizeof(int), cudaMemAdviseSetReadMostly), "read mostly");
    ok(advise(v, n * sizeof(int), cudaMemAdviseSetPreferredLocation), "preferred");
    ok(prefetch(table, size * sizeof(int), false), "prefetch table");
    ok(prefetch(v, n * sizeof(int), false), "prefetch values");

    for (int round = 0; round < 2; ++round)
        lookup<<<(n + 255) / 256, 256>>>(table, size, v, n);
    ok(cudaGetLastError(), "launch");
    ok(prefetch(v, n * sizeof(int), true), "prefetch back");
    ok(cudaDeviceSynchronize(), "sync");

    long sum = 0;
    for (int i = 0; i < n; ++i)
        sum += v[i];
    std::printf("v[7] = %d, v[13] = %d, v[2999] = %d\n", v[7], v[13], v[2999]);
    std::printf("sum = %ld\n", sum);
    ok(advise(table, size * sizeof(int), cudaMemAdviseUnsetReadMostly), "unset");
    cudaFree(table);
    cudaFree(v);
    std::printf("errors: %d\n", errors);
    return errors;
}
