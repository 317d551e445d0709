// SPDX-License-Identifier: GPL-3.0-or-later
//! needs toolkit
//! array a i32 256 random:-500:500
//! array log i32 2
//! launch oddEvenGrid<<<4,32>>>(a, 256, log)
//! expect a
//! expect log
// Odd-even transposition sort over several blocks in one launch.
#include <stdio.h>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void oddEvenGrid(int *a, int n, int *log)
{
    cg::grid_group grid = cg::this_grid();
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int phase = 0; phase < n; phase++) {
        int i = 2 * t + phase % 2;
        if (i + 1 < n && a[i] > a[i + 1]) {
            int tmp = a[i];
            a[i] = a[i + 1];
            a[i + 1] = tmp;
        }
        grid.sync();
    }
    if (grid.thread_rank() == 0) {
        log[0] = (int)grid.size();
        log[1] = a[n - 1] - a[0];
    }
}

int main()
{
    const int n = 256;
    int h[n], *d, *log, size = n;
    for (int i = 0; i < n; i++)
        h[i] = (i * 7919) % 1000;
    cudaMalloc(&d, sizeof(h));
    cudaMalloc(&log, 2 * sizeof(int));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    void *args[] = {&d, &size, &log};
    cudaError_t e = cudaLaunchCooperativeKernel((void *)oddEvenGrid, dim3(4), dim3(32), args, 0, 0);
    if (e != cudaSuccess)
        printf("%s\n", cudaGetErrorString(e));
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%d ... %d\n", h[0], h[n - 1]);
    cudaFree(d);
    cudaFree(log);
    return 0;
}
