/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of shared.cu's programs (source/code-host.h): how much shared memory each launch
 * asks for, and each element held against plain C.
 */

/* How many elements are where they belong? Each piece of x is in y from its last to its first. */
//: used by two overlap
static int Count_right(const float *x, const float *y, const int *from, int n, int piece)
//: used by all but two overlap
static int Count_right(const float *x, const float *y, int n, int piece)
//: used by all
{
    int right = 0;

    for (int i = 0; i < n; i++) {
        int base = i / piece * piece;
        int size = n - base < piece ? n - base : piece;
        int twin = base + size - 1 - (i - base);
//: used by two overlap
        right += y[i] == x[twin] && from[i] == twin;
//: used by all but two overlap
        right += y[i] == x[twin];
//: used by all
    }
    return right;
}

//: used by all but optin over48k
/* Arguments: n, threads in a block. */
//: used by optin over48k
/* Arguments: n, elements of a block's piece, threads in a block. */
//: used by all
int main(int argc, char *argv[])
{
//: used by all but optin over48k
    int n = (int)Argument(argc, argv, 1, 1000);
    int threads = (int)Argument(argc, argv, 2, 256);

    if (n < 1 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n is at least 1, and a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
    int piece = threads;               /* an element for each thread */
//: used by optin over48k
    int n = (int)Argument(argc, argv, 1, 32768);
    int piece = (int)Argument(argc, argv, 2, 16384);
    int threads = (int)Argument(argc, argv, 3, 256);

    if (n < 1 || piece < 1 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n and a piece are at least 1, and a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
//: used by all
    int blocks = (n - 1) / piece + 1;
//: used by extern nobarrier optin over48k
    size_t shared = piece * sizeof(float);
//: used by two
    size_t shared = piece * (sizeof(float) + sizeof(int));   /* for both arrays */
//: used by overlap
    /* Enough for both: that is not what is wrong. */
    size_t shared = piece * (sizeof(float) + sizeof(int));
//: used by all
    size_t bytes = n * sizeof(float);
    float *x = (float *)Allocate(bytes), *y = (float *)Allocate(bytes);
    float *x_d, *y_d;
    CHECK(cudaMalloc(&x_d, bytes));
    CHECK(cudaMalloc(&y_d, bytes));
//: used by two overlap
    int *from = (int *)Allocate(n * sizeof(int)), *from_d;
    CHECK(cudaMalloc(&from_d, n * sizeof(int)));
//: used by all
    for (int i = 0; i < n; i++)
        x[i] = (float)(i % 1000003 + 1);   /* never 0, which y holds before */
    CHECK(cudaMemcpy(x_d, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(y_d, 0, bytes));

//: used by static
    KERNEL<<<blocks, threads>>>(x_d, y_d, n);   /* the compiler has fixed the size */
//: used by extern nobarrier
    KERNEL<<<blocks, threads, shared>>>(x_d, y_d, n);
//: used by noargument
    KERNEL<<<blocks, threads>>>(x_d, y_d, n);   /* WRONG: the third number is missing */
//: used by two overlap
    KERNEL<<<blocks, threads, shared>>>(x_d, y_d, from_d, n);
//: used by optin
    /* More than 48 KB a block must be asked for, once for a kernel. */
    CHECK(cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)shared));
    KERNEL<<<blocks, threads, shared>>>(x_d, y_d, n, piece);
//: used by over48k
    KERNEL<<<blocks, threads, shared>>>(x_d, y_d, n, piece);   /* WRONG: over 48 KB, unasked */
//: used by all
    CHECK(cudaGetLastError());        /* could it start? */
    CHECK(cudaDeviceSynchronize());   /* did it come to its end? */

    CHECK(cudaMemcpy(y, y_d, bytes, cudaMemcpyDeviceToHost));
//: used by two overlap
    CHECK(cudaMemcpy(from, from_d, n * sizeof(int), cudaMemcpyDeviceToHost));
    int right = Count_right(x, y, from, n, piece);
//: used by all but two overlap
    int right = Count_right(x, y, n, piece);
//: used by all
    printf("%d blocks of %d threads: %d of %d elements where they belong: %s\n", blocks, threads,
           right, n, right == n ? "right" : "WRONG");
    CHECK(cudaFree(x_d));
    CHECK(cudaFree(y_d));
    free(x);
    free(y);
//: used by two overlap
    CHECK(cudaFree(from_d));
    free(from);
//: used by all
    return right == n ? 0 : EXIT_FAILURE;
}
