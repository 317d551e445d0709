// Heat in a rod, as a 1D stencil in whole numbers. Shared memory holds a halo.
#include <cstdio>
#include <utility>
#include <cuda_runtime.h>

const int N = 200;
const int BLOCK = 64;

__global__ void step(const int *old_t, int *new_t)
{
    __shared__ int s[BLOCK + 2];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int k = threadIdx.x + 1;
    int last = N - 1;

    s[k] = i < N ? old_t[i] : old_t[last];
    if (threadIdx.x == 0)
        s[0] = i > 0 ? old_t[i - 1] : old_t[0];
    if (threadIdx.x == BLOCK - 1)
        s[BLOCK + 1] = i + 1 < N ? old_t[i + 1] : old_t[last];
    __syncthreads();

    if (i >= N)
        return;
    if (i == 0 || i == last)
        new_t[i] = s[k];        // The ends keep their heat.
    else
        new_t[i] = (s[k - 1] + 2 * s[k] + s[k + 1]) / 4;
}

int main()
{
    static int rod[N];
    rod[0] = 100000;
    rod[N - 1] = 50000;
    for (int i = 1; i < N - 1; ++i)
        rod[i] = (i / 40) % 2 ? 20000 : 1000;

    int *a, *b;
    cudaMalloc(&a, sizeof rod);
    cudaMalloc(&b, sizeof rod);
    cudaMemcpy(a, rod, sizeof rod, cudaMemcpyHostToDevice);

    const int blocks = (N + BLOCK - 1) / BLOCK;
    for (int t = 0; t < 100; ++t) {
        step<<<blocks, BLOCK>>>(a, b);
        std::swap(a, b);
    }
    cudaMemcpy(rod, a, sizeof rod, cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess)
        return 1;

    for (int i = 0; i < N; i += 20)
        std::printf("%3d: %6d\n", i, rod[i]);
    long sum = 0;
    for (int v : rod)
        sum += v;
    std::printf("sum: %ld\n", sum);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
