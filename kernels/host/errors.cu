/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of errors.cu's programs (source/code-host.h): one that asks each call, and three
 * that ask none, which is what is wrong with them.  All know what the sum should be.
 */

//: used by async
#include <string.h>

static int *y_d;   /* a null pointer, until somebody sets it */

//: used by checked nosync
/* Arguments: n, threads in a block. */
//: used by badconfig
/* Arguments: n, threads in a block, too many. */
//: used by async
/* Arguments: n, threads in a block, what goes wrong: null, misaligned, trap or assert. */
//: used by all
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 1000);
//: used by all but badconfig
    int threads = (int)Argument(argc, argv, 2, 256);
    if (n < 1 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n is at least 1, and a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
//: used by badconfig
    int threads = (int)Argument(argc, argv, 2, 2048);
    if (n < 1 || threads < 1) {
        fprintf(stderr, "n and threads are at least 1\n");
        return EXIT_FAILURE;
    }
//: used by async
    const char *cause = argc > 3 ? argv[3] : "null";
//: used by all
    int blocks = (n - 1) / threads + 1;
    size_t bytes = n * sizeof(int);
    int *h = (int *)Allocate(bytes);
    for (int i = 0; i < n; i++)
        h[i] = i + 1;
//: used by async
    if (strcmp(cause, "trap") == 0 || strcmp(cause, "assert") == 0)
        h[n / 2] = -1;   /* what these kernels can't do with */
//: used by checked

    int *x_d, *y_d;
    CHECK(cudaMalloc(&x_d, bytes));
    CHECK(cudaMalloc(&y_d, bytes));
    CHECK(cudaMemcpy(x_d, h, bytes, cudaMemcpyHostToDevice));

    KERNEL<<<blocks, threads>>>(y_d, x_d, n);
    CHECK(cudaGetLastError());        /* could it start? */
    CHECK(cudaDeviceSynchronize());   /* did it come to its end? */
    CHECK(cudaMemcpy(h, y_d, bytes, cudaMemcpyDeviceToHost));
//: used by badconfig

    /* WRONG, from here on: nobody looks at what the calls return. */
    int *x_d, *y_d;
    cudaMalloc(&x_d, bytes);
    cudaMalloc(&y_d, bytes);
    cudaMemcpy(x_d, h, bytes, cudaMemcpyHostToDevice);
    cudaMemset(y_d, 0, bytes);

    KERNEL<<<blocks, threads>>>(y_d, x_d, n);            /* can't start */
    cudaMemcpy(h, y_d, bytes, cudaMemcpyDeviceToHost);   /* goes well: what y held before */
//: used by async

    /* WRONG, from here on: nobody looks at what the calls return. */
    int *x_d;
    size_t room = 0, total = 0;
    cudaMemGetInfo(&room, &total);
    cudaMalloc(&x_d, bytes);
    cudaMemcpy(x_d, h, bytes, cudaMemcpyHostToDevice);
    memset(h, 0, bytes);
    if (strcmp(cause, "null") == 0)
        cudaMalloc(&y_d, 2 * total);   /* more than there is, so y_d is not set */
    else
        cudaMalloc(&y_d, bytes);

    if (strcmp(cause, "trap") == 0)
        twice_trap<<<blocks, threads>>>(y_d, x_d, n);
    else if (strcmp(cause, "assert") == 0)
        twice_assert<<<blocks, threads>>>(y_d, x_d, n);
    else if (strcmp(cause, "misaligned") == 0)
        KERNEL<<<blocks, threads>>>((int *)((char *)y_d + 1), x_d, n);
    else
        KERNEL<<<blocks, threads>>>(y_d, x_d, n);
    cudaMemcpy(h, y_d, bytes, cudaMemcpyDeviceToHost);   /* fails, and h stays as it is */
//: used by nosync

    int *x_d, *y;
    CHECK(cudaMalloc(&x_d, bytes));
    CHECK(cudaMallocManaged(&y, bytes));
    CHECK(cudaMemcpy(x_d, h, bytes, cudaMemcpyHostToDevice));
    for (int i = 0; i < n; i++)
        y[i] = 0;

    KERNEL<<<blocks, threads>>>(y, x_d, n);
    CHECK(cudaGetLastError());
    for (int i = 0; i < n; i++)
        h[i] = y[i];   /* WRONG: nobody has waited, though every call was checked */
//: used by all

    long long sum = 0, expected = (long long)n * (n + 1LL);
    for (int i = 0; i < n; i++)
        sum += h[i];
    printf("%d blocks of %d threads: the sum is %lld: %s\n", blocks, threads, sum,
           sum == expected ? "right" : "WRONG");
//: used by checked
    CHECK(cudaFree(x_d));
    CHECK(cudaFree(y_d));
//: used by badconfig async
    cudaFree(x_d);
    cudaFree(y_d);
//: used by nosync
    CHECK(cudaFree(x_d));   /* waits, too late */
    CHECK(cudaFree(y));
//: used by all
    free(h);
    return sum == expected ? 0 : EXIT_FAILURE;
}
