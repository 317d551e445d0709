/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The trapezoidal kernels as a hand-written CUDA program times them: nvcc's own machine code, and
 * between two events what one answer takes, the sum set to 0 and the launch; the median of 50 after
 * a warm-up. Twice: queued behind other work, as cudalab does it, and, where it takes microseconds,
 * on an idle card, where the events also hold the time that the host takes to launch. A row is a
 * kernel, n, blocks, threads, and the medians in ms. Arguments: n, and the blocks of gridstride.
 */
#include "../../kernels/trap.cu"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

typedef void kernel_type(const float, const float, const float, const int, float *);
const size_t COVER_BYTES = 32 << 20;
static float *sum;
static char *cover;
static cudaEvent_t before, after;

static float median(kernel_type *k, int blocks, int threads, int n, bool queued)
{
    const int RUNS = 50;
    float ms[RUNS];
    for (int i = -1; i < RUNS; i++) {
        if (queued)
            cudaMemsetAsync(cover, 0, COVER_BYTES);
        cudaEventRecord(before);
        cudaMemsetAsync(sum, 0, sizeof *sum);
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
    float queued = median(k, blocks, threads, n, true);
    printf("%s %d %d %d %.5f", name, n, blocks, threads, queued);
    if (queued < 0.1f)
        printf(" %.5f", median(k, blocks, threads, n, false));
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int n = atoi(argv[1]), strides = atoi(argv[2]);
    cudaMalloc(&sum, sizeof *sum);
    cudaMalloc(&cover, COVER_BYTES);
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    row("atomic", trap_atomic, (n + 255) / 256, 256, n);
    row("shuffle", trap_shuffle, (n + 255) / 256, 256, n);
    row("block-1024", trap_block_1024, (n + 1023) / 1024, 1024, n);
    row("gridstride", trap_gridstride, strides, 256, n);
    return cudaGetLastError() != cudaSuccess;
}
