/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of normcdf.cu's programs (source/code-host.h). It copies x to the device and N(x)
 * back. It compares each result with erfc() of the C library.
 */
#include <math.h>

/* Arguments: n, the range of x, threads in a block. */
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 1001);
    double range = Argument(argc, argv, 2, 6);
    int threads = (int)Argument(argc, argv, 3, 256);

    if (n < 2 || !(range >= 1 && range <= 12) || threads < 1 || threads > 1024) {
        fprintf(stderr, "n is at least 2, the range is 1 to 12, a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
    int blocks = (n - 1) / threads + 1;   /* a thread for each element */
    size_t bytes = n * sizeof(float);
    float *x = (float *)Allocate(bytes), *y = (float *)Allocate(bytes);
    for (int i = 0; i < n; i++)
        x[i] = (float)(2 * range * i / (n - 1) - range);

    float *x_d, *y_d;
    CHECK(cudaMalloc(&x_d, bytes));
    CHECK(cudaMalloc(&y_d, bytes));
    CHECK(cudaMemcpy(x_d, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(y_d, 0, bytes));

//: used by shared global nobarrier constant paren
    /* p, b1 to b5, and 1 / sqrt(2 pi) */
    const float values[7] = {0.2316419f,    0.31938153f,  -0.356563782f, 1.781477937f,
                             -1.821255978f, 1.330274429f, 0.39894228f};
//: used by constant paren
    CHECK(cudaMemcpyToSymbol(coefficient, values, sizeof values));
//: used by shared global nobarrier
    float *c_d;
    CHECK(cudaMalloc(&c_d, sizeof values));
    CHECK(cudaMemcpy(c_d, values, sizeof values, cudaMemcpyHostToDevice));
    KERNEL<<<blocks, threads>>>(x_d, y_d, n, c_d);
//: used by all but shared global nobarrier
    KERNEL<<<blocks, threads>>>(x_d, y_d, n);
//: used by all
    CHECK(cudaGetLastError());        /* a launch that could not start */
    CHECK(cudaDeviceSynchronize());   /* an error of the kernel shows here */

    CHECK(cudaMemcpy(y, y_d, bytes, cudaMemcpyDeviceToHost));
    double absolute = 0, relative = 0;   /* the largest errors; relative for x < 0 */
    for (int i = 0; i < n; i++) {
        double exact = 0.5 * erfc(-x[i] * sqrt(0.5)), error = fabs(y[i] - exact);
        absolute = error > absolute || isnan(error) ? error : absolute;
        if (x[i] < 0)
            relative = error / exact > relative ? error / exact : relative;
    }
    /* The error of the formula is 7.5e-8 at most, and float rounds. Its relative error grows far
     * out. It never reaches 0.5. A larger error means that digits were lost. */
    int right = absolute < 3e-7 && relative < 0.5;
    printf("%d blocks of %d threads: error %.2g, in the lower tail %.2g of N(x): %s\n", blocks,
           threads, absolute, relative, right ? "right" : "WRONG");
//: used by shared global nobarrier
    CHECK(cudaFree(c_d));
//: used by all
    CHECK(cudaFree(x_d));
    CHECK(cudaFree(y_d));
    free(x);
    free(y);
    return right ? 0 : EXIT_FAILURE;
}
