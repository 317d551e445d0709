// printf on the device, from one thread at a time. The asserts must hold.
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

struct Point {
    int x, y;
};

__global__ void hello()
{
    if (blockIdx.x == 1 && threadIdx.x == 5)
        printf("hello from block %d, thread %d\n", blockIdx.x, threadIdx.x);
}

__global__ void formats(Point p, double d, const char *word)
{
    printf("point (%d, %d)\n", p.x, p.y);
    printf("[%5d] [%-5d] [%05d] [%x]\n", p.x, p.x, p.x, 48879);
    printf("%.3f %8.2f %c %%\n", d, d * 2.0, 'z');
    printf("%s has %u letters\n", word, 5u);
    printf("big: %lld\n", 1LL << 40);
}

__global__ void countdown(const int *v, int n)
{
    for (int i = n - 1; i >= 0; --i) {
        assert(v[i] > 0);
        printf("%d%s", v[i], i ? " " : "\n");
    }
}

__global__ void assert_all(const int *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        assert(v[i] == i + 1);
        assert(v[i] <= n && "the list is too long");
    }
}

int main()
{
    const int n = 10;
    int host[n];
    for (int i = 0; i < n; ++i)
        host[i] = i + 1;
    int *v;
    char *word;
    cudaMalloc(&v, sizeof host);
    cudaMalloc(&word, 8);
    cudaMemcpy(v, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(word, "apple", 6, cudaMemcpyHostToDevice);

    std::printf("host: start\n");
    std::fflush(stdout);
    hello<<<3, 8>>>();
    formats<<<1, 1>>>(Point{12, -7}, 2.5, word);
    countdown<<<1, 1>>>(v, n);
    assert_all<<<2, 8>>>(v, n);
    cudaError_t e = cudaDeviceSynchronize();
    std::fflush(stdout);
    std::printf("host: %s\n", cudaGetErrorName(e));
    cudaFree(v);
    cudaFree(word);
    return e == cudaSuccess ? 0 : 1;
}
