/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of stencil.cu's programs (source/code-host.h): an array there, its sums back, each
 * held against plain C.
 */

/* The number of sums that are right. */
static int Count_right(const int *x, const int *y, int n, int radius)
{
    int right = 0;

    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int k = i - radius; k <= i + radius; k++)
            if (k >= 0 && k < n)
                sum += x[k];
        right += y[i] == sum;
    }
    return right;
}

/* Arguments: n, radius, threads in a block. */
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 1000);
//: used by shorthalo
    int radius = (int)Argument(argc, argv, 2, 100);
    int threads = (int)Argument(argc, argv, 3, 64);
//: used by all but shorthalo
    int radius = (int)Argument(argc, argv, 2, 3);
    int threads = (int)Argument(argc, argv, 3, 256);
//: used by all

    if (n < 1 || radius < 0 || radius > 65536 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n is at least 1, the radius is 0 to 65536, a block has 1 to 1024 "
                        "threads\n");
        return EXIT_FAILURE;
    }
//: used by all but vector
    int blocks = (n - 1) / threads + 1;         /* a thread for each element */
//: used by vector
    int blocks = (n - 1) / (4 * threads) + 1;   /* a thread for each four */
//: used by all
    size_t bytes = n * sizeof(int);
    int *x = (int *)Allocate(bytes), *y = (int *)Allocate(bytes);
    for (int i = 0; i < n; i++)
        x[i] = 1 + i * 37 % 1000;   /* never 0, which stands for what is not there */

    int *x_d, *y_d;
    CHECK(cudaMalloc(&x_d, bytes));
    CHECK(cudaMalloc(&y_d, bytes));
    CHECK(cudaMemcpy(x_d, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(y_d, 0, bytes));

//: used by global vector
    KERNEL<<<blocks, threads>>>(x_d, y_d, n, radius);
//: used by all but global vector
    /* The tile: an element for each thread, and a halo of `radius` on both sides. More than 48 KB
     * must be asked for, once for a kernel. */
    size_t tile = (threads + 2 * radius) * sizeof(int);
    if (tile > 49152)
        CHECK(cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   (int)tile));
    KERNEL<<<blocks, threads, tile>>>(x_d, y_d, n, radius);
//: used by all
    CHECK(cudaGetLastError());        /* a launch that could not start */
    CHECK(cudaDeviceSynchronize());   /* an error of the kernel shows here */

    CHECK(cudaMemcpy(y, y_d, bytes, cudaMemcpyDeviceToHost));
    int right = Count_right(x, y, n, radius);
    printf("%d blocks of %d threads, radius %d: %d of %d sums are right: %s\n", blocks, threads,
           radius, right, n, right == n ? "right" : "WRONG");
    CHECK(cudaFree(x_d));
    CHECK(cudaFree(y_d));
    free(x);
    free(y);
    return right == n ? 0 : EXIT_FAILURE;
}
