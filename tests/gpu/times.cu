/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The trapezoidal kernels as a hand-written CUDA program times them: nvcc's own machine code,
 * the start value copied before each run, an event on each side of the launch, the median of 50
 * after a warm-up. Beside it the same without the copy, run after run.
 */
#include "../../kernels/trap.cu"

#include <algorithm>
#include <cstdio>

typedef void kernel_type(const float, const float, const float, const int, float *);
static float *sum;
static cudaEvent_t before, after;

static float median(kernel_type *k, int blocks, int threads, int n, bool copies)
{
    const int RUNS = 50;
    float ms[RUNS], start = 10.0f;
    for (int i = -1; i < RUNS; i++) {
        if (copies)
            cudaMemcpy(sum, &start, sizeof start, cudaMemcpyHostToDevice);
        cudaEventRecord(before);
        k<<<blocks, threads>>>(-3.0f, 3.0f, 6.0f / n, n, sum);
        cudaEventRecord(after);
        cudaEventSynchronize(after);
        if (i >= 0)
            cudaEventElapsedTime(&ms[i], before, after);
    }
    std::sort(ms, ms + RUNS);
    return (ms[RUNS / 2] + ms[RUNS / 2 - 1]) / 2;
}

static void row(const char *name, kernel_type *k, int blocks, int threads, int n)
{
    float with = median(k, blocks, threads, n, true), without = median(k, blocks, threads, n, false);
    printf("%-14s n %9d  %8d x %4d  %10.5f ms  %10.5f ms without copies\n", name, n, blocks,
           threads, with, without);
}

int main()
{
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    cudaMalloc(&sum, sizeof *sum);
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    const int sizes[] = {1 << 20, 1 << 28};
    for (int n : sizes) {
        row("atomic", trap_atomic, (n + 255) / 256, 256, n);
        row("shuffle", trap_shuffle, (n + 255) / 256, 256, n);
        row("block-shuffle", trap_block_shuffle, (n + 255) / 256, 256, n);
        row("block-shuffle", trap_block_shuffle, (n + 1023) / 1024, 1024, n);
        row("block-1024", trap_block_1024, (n + 1023) / 1024, 1024, n);
        row("block-shared", trap_block_shared, (n + 1023) / 1024, 1024, n);
        row("gridstride", trap_gridstride, 2 * p.multiProcessorCount, 256, n);
        row("gridstride", trap_gridstride, 4 * p.multiProcessorCount, 256, n);
        row("gridstride", trap_gridstride, p.multiProcessorCount, 1024, n);
        row("gridstride", trap_gridstride, 2 * p.multiProcessorCount, 1024, n);
        row("gridstride", trap_gridstride, 8 * p.multiProcessorCount, 256, n);
    }
    return cudaGetLastError() != cudaSuccess;
}
