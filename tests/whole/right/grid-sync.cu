// All blocks of the grid wait for each other between two steps.
#include <cstdio>
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

const int BLOCKS = 4, THREADS = 64, N = BLOCKS * THREADS;

// Each item becomes the sum of itself and the item 'd' places before it.
__global__ void scan(int *a, int *b, int *steps)
{
    cg::grid_group grid = cg::this_grid();
    int i = static_cast<int>(grid.thread_rank());
    for (int d = 1; d < N; d *= 2) {
        b[i] = a[i] + (i >= d ? a[i - d] : 0);
        grid.sync();
        a[i] = b[i];
        grid.sync();
        if (i == 0)
            ++*steps;
    }
}

int main()
{
    int able = 0;
    cudaDeviceGetAttribute(&able, cudaDevAttrCooperativeLaunch, 0);
    if (!able) {
        std::printf("no cooperative launch\n");
        return 1;
    }

    int host[N];
    for (int i = 0; i < N; ++i)
        host[i] = i % 3;
    int *a, *b, *steps;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&steps, sizeof(int));
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(steps, 0, sizeof(int));

    void *args[] = {&a, &b, &steps};
    cudaError_t e = cudaLaunchCooperativeKernel((void *)scan, dim3(BLOCKS),
                                                dim3(THREADS), args, 0, 0);
    if (e != cudaSuccess) {
        std::printf("launch: %s\n", cudaGetErrorString(e));
        return 1;
    }
    int count = 0;
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(&count, steps, sizeof count, cudaMemcpyDeviceToHost);

    int run = 0, bad = 0;
    for (int i = 0; i < N; ++i) {
        run += i % 3;
        if (host[i] != run)
            ++bad;
    }
    std::printf("steps: %d\n", count);
    std::printf("scan: %d %d %d %d\n", host[2], host[64], host[128], host[255]);
    std::printf("bad: %d\n", bad);
    cudaFree(a);
    cudaFree(b);
    cudaFree(steps);
    return bad > 0;
}
