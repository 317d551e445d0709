/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of timing.cu's programs (source/code-host.h): which clock is read, and where; what
 * the kernel made is held against the same loop in plain C.
 */

//: used by wall-sync wall clock
#include <time.h>

//: used by wall-sync wall
/* Seconds by the clock on the wall. */
static double Seconds(void)
{
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

//: used by all
/* The same work on the host. */
static unsigned Work(unsigned x, int rounds)
{
    for (int k = 0; k < rounds; k++)
        x = (x * 1664525u + 1013904223u) ^ (x >> 15);
    return x;
}

/* Arguments: n, rounds, threads in a block. */
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 1024);
    int rounds = (int)Argument(argc, argv, 2, 20000);
    int threads = (int)Argument(argc, argv, 3, 256);

    if (n < 1 || rounds < 1 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n and rounds are at least 1, and a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
    int blocks = (n - 1) / threads + 1;
    size_t bytes = n * sizeof(unsigned);
    unsigned *x = (unsigned *)Allocate(bytes), *x_d;
    CHECK(cudaMalloc(&x_d, bytes));
    for (int i = 0; i < n; i++)
        x[i] = i;

    /* A first launch also loads the kernel, which would be timed with it. */
    KERNEL<<<blocks, threads>>>(x_d, n, 1);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(x_d, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());

//: used by events
    cudaEvent_t before, after;
    float ms;
    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventCreate(&after));
    CHECK(cudaEventRecord(before));
    KERNEL<<<blocks, threads>>>(x_d, n, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(after));
    CHECK(cudaEventSynchronize(after));   /* else the second mark may not be there yet */
    CHECK(cudaEventElapsedTime(&ms, before, after));
    double took = ms;
    CHECK(cudaEventDestroy(before));
    CHECK(cudaEventDestroy(after));
//: used by wall-sync
    double start = Seconds();
    KERNEL<<<blocks, threads>>>(x_d, n, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());       /* the kernel has ended */
    double took = 1e3 * (Seconds() - start);
//: used by wall
    double start = Seconds();
    KERNEL<<<blocks, threads>>>(x_d, n, rounds);
    double took = 1e3 * (Seconds() - start);   /* WRONG: it may not have begun */
    CHECK(cudaGetLastError());
//: used by clock
    clock_t start = clock();              /* WRONG: processor time, not time on the wall */
    KERNEL<<<blocks, threads>>>(x_d, n, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());       /* a host that sleeps here spends none */
    double took = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC;
//: used by all

    CHECK(cudaMemcpy(x, x_d, bytes, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += x[i] != Work(i, rounds);
    printf("%d blocks of %d threads, %d rounds: %.3f ms; %d of %d elements wrong: %s\n", blocks,
           threads, rounds, took, wrong, n, wrong ? "WRONG" : "right");
    CHECK(cudaFree(x_d));
    free(x);
    return wrong ? EXIT_FAILURE : 0;
}
