/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of hostmem.cu's programs (source/code-host.h): batches of data are written into the
 * host's memory, worked on, and read there. Each result is compared with plain C. The clock is the
 * host's: it runs from the data to the result, with every copy and every wait.
 */

#include <string.h>
#include <time.h>

static double Seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Counts the results that are the same as in plain C. */
static int Count_right(const unsigned *x, const unsigned *z, int n, int passes)
{
    int right = 0;

    for (int i = 0; i < n; i++) {
        unsigned v = 0;
        for (int p = 0; p < passes; p++)
            v = 3 * v + x[i];
        right += z[i] == v;
    }
    return right;
}

/* Arguments: n, batches, passes, threads in a block. */
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 65536);
    int batches = (int)Argument(argc, argv, 2, 3);
    int passes = (int)Argument(argc, argv, 3, 8);
    int threads = (int)Argument(argc, argv, 4, 256);

    if (n < 1 || n > 1 << 24 || batches < 1 || batches > 256 || passes < 1 || threads < 1 ||
        threads > 1024) {
        fprintf(stderr, "n is 1 to 16777216, there are 1 to 256 batches, at least 1 pass, and 1 to "
                        "1024 threads in a block\n");
        return EXIT_FAILURE;
    }
    int blocks = (n - 1) / threads + 1;   /* a thread for each element */
    size_t bytes = n * sizeof(unsigned);
    unsigned *data = (unsigned *)Allocate(batches * bytes);   /* all batches */
    for (size_t i = 0; i < (size_t)batches * n; i++)
        data[i] = 2654435761u * (unsigned)i;

    unsigned *x, *z, *x_d, *z_d;
//: used by pageable
    x = (unsigned *)Allocate(bytes);   /* pageable memory */
    z = (unsigned *)Allocate(bytes);
//: used by pinned reuse
    CHECK(cudaMallocHost(&x, bytes));   /* pinned memory */
    CHECK(cudaMallocHost(&z, bytes));
//: used by async
    CHECK(cudaMallocHost(&x, 2 * bytes));   /* two buffers of pinned memory */
    CHECK(cudaMallocHost(&z, bytes));
//: used by mapped nosync
    CHECK(cudaHostAlloc(&x, bytes, cudaHostAllocMapped));   /* kernels can reach it */
    CHECK(cudaHostAlloc(&z, bytes, cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&x_d, x, 0));
    CHECK(cudaHostGetDevicePointer(&z_d, z, 0));
//: used by all but mapped nosync
    CHECK(cudaMalloc(&x_d, bytes));
    CHECK(cudaMalloc(&z_d, bytes));
//: used by async reuse
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
//: used by all

    long right = 0;
    double seconds = 0;
//: used by async reuse
    memcpy(x, data, bytes);
//: used by all
    for (int b = 0; b < batches; b++) {
        const unsigned *batch = data + (size_t)b * n;
//: used by async
        unsigned *now = x + (size_t)(b % 2) * n, *next = x + (size_t)((b + 1) % 2) * n;
//: used by reuse
        unsigned *now = x, *next = x;   /* WRONG: one buffer for both */
//: used by all but async reuse
        memcpy(x, batch, bytes);
//: used by mapped nosync
        memset(z, 0, bytes);
//: used by all

        double start = Seconds();
//: used by pageable pinned
        CHECK(cudaMemcpy(x_d, x, bytes, cudaMemcpyHostToDevice));
//: used by async reuse
        CHECK(cudaMemcpyAsync(x_d, now, bytes, cudaMemcpyHostToDevice, stream));
        KERNEL<<<blocks, threads, 0, stream>>>(x_d, z_d, n, passes);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(z, z_d, bytes, cudaMemcpyDeviceToHost, stream));
        if (b + 1 < batches)   /* the host works while the device does */
            memcpy(next, batch + n, bytes);
        CHECK(cudaStreamSynchronize(stream));
//: used by all but async reuse
        KERNEL<<<blocks, threads>>>(x_d, z_d, n, passes);
        CHECK(cudaGetLastError());
//: used by pageable pinned
        CHECK(cudaMemcpy(z, z_d, bytes, cudaMemcpyDeviceToHost));
//: used by mapped
        CHECK(cudaDeviceSynchronize());   /* then z is complete */
//: used by all
        seconds += Seconds() - start;
        right += Count_right(batch, z, n, passes);   /* nosync has not waited */
    }
    CHECK(cudaDeviceSynchronize());
    long all = (long)batches * n;
    printf("%d batches of %d: %.2f us each, %ld of %ld results are right: %s\n", batches, n,
           seconds / batches * 1e6, right, all, right == all ? "right" : "WRONG");

//: used by async reuse
    CHECK(cudaStreamDestroy(stream));
//: used by all but mapped nosync
    CHECK(cudaFree(x_d));
    CHECK(cudaFree(z_d));
//: used by pageable
    free(x);
    free(z);
//: used by all but pageable
    CHECK(cudaFreeHost(x));
    CHECK(cudaFreeHost(z));
//: used by all
    free(data);
    return right == all ? 0 : EXIT_FAILURE;
}
