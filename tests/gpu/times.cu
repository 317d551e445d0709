/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The trapezoidal kernels as a hand-written CUDA program times them: nvcc's own machine code, and
 * what one answer takes, the sum set to 0 and the launch; the median of 50 after a warm-up. Twice:
 * all queued behind other work with an event after each, as cudalab does it, and, where it takes
 * microseconds, one by one on an idle card, where the events around also hold the time that the
 * host takes to launch. A row is a kernel, n, blocks, threads, and the medians in ms. Arguments: n,
 * and the blocks of gridstride.
 */
#include "../../kernels/trap.cu"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

typedef void kernel_type(const float, const float, const float, const int, float *);
const int RUNS = 50;
const size_t COVER_BYTES = 32 << 20; /* filling so much takes longer than to queue an answer */
static float *sum;
static char *cover;
static cudaEvent_t events[RUNS + 1];

static float median(float ms[RUNS])
{
    std::sort(ms, ms + RUNS);
    return (ms[RUNS / 2] + ms[RUNS / 2 - 1]) / 2;
}

static void answer(kernel_type *k, int blocks, int threads, int n)
{
    cudaMemsetAsync(sum, 0, sizeof *sum);
    k<<<blocks, threads>>>(-3.0f, 3.0f, 6.0f / n, n, sum);
}

static float queued(kernel_type *k, int blocks, int threads, int n)
{
    float ms[RUNS];
    for (int i = 0; i < 2 * RUNS; i++)
        cudaMemsetAsync(cover, 0, COVER_BYTES);
    for (int i = 0; i <= RUNS; i++) {
        answer(k, blocks, threads, n);
        cudaEventRecord(events[i]);
    }
    cudaEventSynchronize(events[RUNS]);
    for (int i = 0; i < RUNS; i++)
        cudaEventElapsedTime(&ms[i], events[i], events[i + 1]);
    return median(ms);
}

static float one_by_one(kernel_type *k, int blocks, int threads, int n)
{
    float ms[RUNS];
    for (int i = 0; i < RUNS; i++) {
        cudaEventRecord(events[0]);
        answer(k, blocks, threads, n);
        cudaEventRecord(events[1]);
        cudaEventSynchronize(events[1]);
        cudaEventElapsedTime(&ms[i], events[0], events[1]);
    }
    return median(ms);
}

static void row(const char *name, kernel_type *k, int blocks, int threads, int n)
{
    float ms = queued(k, blocks, threads, n);
    printf("%s %d %d %d %.5f", name, n, blocks, threads, ms);
    if (ms < 0.1f)
        printf(" %.5f", one_by_one(k, blocks, threads, n));
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int n = atoi(argv[1]), strides = atoi(argv[2]);
    cudaMalloc(&sum, sizeof *sum);
    cudaMalloc(&cover, COVER_BYTES);
    for (cudaEvent_t &e : events)
        cudaEventCreate(&e);
    row("atomic", trap_atomic, (n + 255) / 256, 256, n);
    row("shuffle", trap_shuffle, (n + 255) / 256, 256, n);
    row("block-1024", trap_block_1024, (n + 1023) / 1024, 1024, n);
    row("gridstride", trap_gridstride, strides, 256, n);
    return cudaGetLastError() != cudaSuccess;
}
