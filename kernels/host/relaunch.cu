/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of relaunch.cu's programs (source/code-host.h): who goes round the loop, and what
 * all of it took by the device's clock.
 */

/* Arguments: n, how often, threads in a block. */
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 1000);
    int iters = (int)Argument(argc, argv, 2, 100);
    int threads = (int)Argument(argc, argv, 3, 256);

    if (n < 1 || iters < 1 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n and how often are at least 1, and a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
    int blocks = (n - 1) / threads + 1;   /* a thread for each i */
    size_t bytes = n * sizeof(float);
    float *x = (float *)Allocate(bytes), *y = (float *)Allocate(bytes);
    float *z = (float *)Allocate(bytes);
    float *x_d, *y_d, *z_d;
    cudaEvent_t before, after;
    CHECK(cudaMalloc(&x_d, bytes));
    CHECK(cudaMalloc(&y_d, bytes));
    CHECK(cudaMalloc(&z_d, bytes));
    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventCreate(&after));
    for (int i = 0; i < n; i++) {
        x[i] = 0.5f * (i % 1000);
        y[i] = 0.25f * (i % 777) + 1.0f;
    }
    CHECK(cudaMemcpy(x_d, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y_d, y, bytes, cudaMemcpyHostToDevice));

//: used by launches
    /* A first launch also loads the kernel; that is nobody's additions. */
    KERNEL<<<blocks, threads>>>(x_d, y_d, z_d, n);
//: used by loop
    /* A first launch also loads the kernel; that is nobody's additions. */
    KERNEL<<<blocks, threads>>>(x_d, y_d, z_d, n, 1);
//: used by all
    CHECK(cudaGetLastError());
    CHECK(cudaMemset(z_d, 0, bytes));

    CHECK(cudaEventRecord(before));
//: used by launches
    for (int k = 0; k < iters; k++) {   /* the host goes round: the launches queue up */
        KERNEL<<<blocks, threads>>>(x_d, y_d, z_d, n);
        CHECK(cudaGetLastError());
    }
//: used by loop
    KERNEL<<<blocks, threads>>>(x_d, y_d, z_d, n, iters);   /* each thread goes round */
    CHECK(cudaGetLastError());
//: used by all
    CHECK(cudaEventRecord(after));
    CHECK(cudaEventSynchronize(after));   /* the host waits for the last of them */

    float took;
    CHECK(cudaEventElapsedTime(&took, before, after));
    CHECK(cudaMemcpy(z, z_d, bytes, cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += z[i] != x[i] + y[i];
    printf("%d additions of n = %d, %d blocks of %d threads: %.3f ms, %d wrong: %s\n", iters, n,
           blocks, threads, took, wrong, wrong ? "WRONG" : "right");
    CHECK(cudaEventDestroy(before));
    CHECK(cudaEventDestroy(after));
    CHECK(cudaFree(x_d));
    CHECK(cudaFree(y_d));
    CHECK(cudaFree(z_d));
    free(x);
    free(y);
    free(z);
    return wrong ? EXIT_FAILURE : 0;
}
