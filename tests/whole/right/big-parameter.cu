// A kernel takes a table of 20 KB as a parameter, and copies words of several sizes.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                    \
    do {                                                               \
        cudaError_t e = (call);                                        \
        if (e != cudaSuccess) {                                        \
            printf("%s, line %d\n", cudaGetErrorString(e), __LINE__);  \
            exit(1);                                                   \
        }                                                              \
    } while (0)

struct Table { int value[5000]; };
struct alignas(16) Four { float x, y, z, w; };
struct Three { float x, y, z; };

__global__ void sum_table(const __grid_constant__ Table table, int *out)
{
    int sum = 0;
    for (int i = threadIdx.x; i < 5000; i += blockDim.x)
        sum += table.value[i];
    atomicAdd(out, sum);
}

template <class T>
__global__ void copy(T *to, const T *from, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        to[i] = from[i];
}

template <class T>
static int copied(const void *from, void *to, int bytes)
{
    static unsigned char host[48000];
    int n = 0;
    CHECK(cudaMemset(to, 0, bytes));
    copy<<<8, 128>>>((T *)to, (const T *)from, bytes / (int)sizeof(T));
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, to, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < bytes; i++)
        n += host[i] == 7;
    return n;
}

int main()
{
    static Table table;
    int *out, sum;
    for (int i = 0; i < 5000; i++)
        table.value[i] = i % 11;
    CHECK(cudaMalloc(&out, sizeof(int)));
    CHECK(cudaMemset(out, 0, sizeof(int)));
    sum_table<<<2, 96>>>(table, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
    printf("sum %d\n", sum);
    const int bytes = 48000;
    void *from, *to;
    CHECK(cudaMalloc(&from, bytes));
    CHECK(cudaMalloc(&to, bytes));
    CHECK(cudaMemset(from, 7, bytes));
    printf("%d %d %d %d\n", copied<char>(from, to, bytes), copied<short>(from, to, bytes),
           copied<Three>(from, to, bytes), copied<Four>(from, to, bytes));
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    CHECK(cudaFree(out));
    return 0;
}
