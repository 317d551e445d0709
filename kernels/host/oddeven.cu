/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of oddeven.cu's programs (source/code-host.h): an array there and back, held
 * against qsort's.
 */

static int By_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Arguments: n, threads in a block. */
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 1000), threads = (int)Argument(argc, argv, 2, 128);

    if (n < 1 || n > 1 << 24 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n is 1 to 16,777,216, and a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
//: used by chunks
    if ((threads & (threads - 1)) != 0) {
        fprintf(stderr, "the number of threads is a power of two\n");
        return EXIT_FAILURE;
    }
//: used by all

    size_t bytes = n * sizeof(float);
    float *x = (float *)Allocate(bytes), *sorted = (float *)Allocate(bytes), *x_d;
    for (int i = 0; i < n; i++)
        sorted[i] = x[i] = (float)(i * 7919LL % 10007);
    qsort(sorted, n, sizeof *sorted, By_value);

    CHECK(cudaMalloc(&x_d, bytes));
    CHECK(cudaMemcpy(x_d, x, bytes, cudaMemcpyHostToDevice));

//: used by launches coop coop-stride blocksync
    int pairs = n / 2 > 0 ? n / 2 : 1, blocks = (pairs + threads - 1) / threads;
//: used by coop coop-stride

    /* All blocks of a cooperative launch run at once. The driver says how many can. */
    int device, multiprocessors, per_sm;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, KERNEL, threads, 0));
//: used by coop
    if (blocks > per_sm * multiprocessors) {
        fprintf(stderr, "at most %d blocks of %d threads run at once here\n",
                per_sm * multiprocessors, threads);
        return EXIT_FAILURE;
    }
//: used by coop-stride
    if (blocks > per_sm * multiprocessors)
        blocks = per_sm * multiprocessors;   /* threads take several pairs */
//: used by coop coop-stride
    void *arguments[] = {&x_d, &n};
    CHECK(cudaLaunchCooperativeKernel((const void *)KERNEL, dim3(blocks), dim3(threads),
                                      arguments, 0, 0));
//: used by launches
    for (int step = 0; step < n; step++) {
        KERNEL<<<blocks, threads>>>(x_d, n, step % 2);
        CHECK(cudaGetLastError());
    }
//: used by blocksync
    KERNEL<<<blocks, threads>>>(x_d, n);
    CHECK(cudaGetLastError());
//: used by chunks
    int chunks = (n + threads - 1) / threads;
    size_t both = 2 * threads * sizeof(float);   /* of shared memory, for two chunks */
    KERNEL<<<(chunks + 1) / 2, threads, both>>>(x_d, n);
    CHECK(cudaGetLastError());
    for (int round = 1; round < chunks; round++) {
        int blocks = (chunks - round % 2) / 2;
        if (blocks == 0)
            continue;
        oddeven_merge<<<blocks, threads, both>>>(x_d, n, round % 2);
        CHECK(cudaGetLastError());
    }
//: used by bitonic batcher
    int padded = 2;
    while (padded < n)
        padded *= 2;
    int blocks = (padded / 2 + threads - 1) / threads;
    for (int size = 1; size < n; size *= 2)
        for (int distance = size; distance > 0; distance /= 2) {
//: used by bitonic
            int mask = distance == size ? 2 * size - 1 : distance;
            KERNEL<<<blocks, threads>>>(x_d, n, distance, mask);
            CHECK(cudaGetLastError());
//: used by batcher
            KERNEL<<<blocks, threads>>>(x_d, n, size, distance);
            CHECK(cudaGetLastError());
//: used by bitonic batcher
        }
//: used by all

    CHECK(cudaMemcpy(x, x_d, bytes, cudaMemcpyDeviceToHost));   /* waits for all of it */
    CHECK(cudaFree(x_d));

    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += x[i] != sorted[i];
    printf("%d floats, blocks of %d threads: %d in a wrong place: %s\n", n, threads, wrong,
           wrong == 0 ? "right" : "WRONG");
    free(x);
    free(sorted);
    return wrong == 0 ? 0 : EXIT_FAILURE;
}
