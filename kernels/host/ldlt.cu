/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of ldlt.cu's programs (source/code-host.h): matrices with ones on the diagonal and
 * one other number everywhere else. Their solutions are known, and each is held against it.
 */

/* Arguments: equations of a system, systems, threads in a block. */
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 16), threads = (int)Argument(argc, argv, 3, 32);
//: used by noguard
    int systems = (int)Argument(argc, argv, 2, 16384 * 32 - 1);
//: used by all but noguard
    int systems = (int)Argument(argc, argv, 2, 16384 * 32);
//: used by all

    if (n < 1 || n > 256 || systems < 1 || systems > (1 << 30) / (n * n) || threads < 1 ||
        threads > 1024) {
        fprintf(stderr, "1 to 256 equations, 1 to 1024 threads, and 2^30 floats at most\n");
        return EXIT_FAILURE;
    }
    size_t size = (size_t)n * n, vectors = (size_t)systems * n * sizeof(float);
    float *a = (float *)Allocate(vectors * n), *y = (float *)Allocate(vectors), *a_d, *y_d;
    for (size_t s = 0; s < systems; s++) {
        float rho = 1.0f / (1.1f + s);
        for (size_t e = 0; e < size; e++)
            a[s * size + e] = e / n == e % n ? 1.0f : rho;
        for (int i = 0; i < n; i++)
            y[s * n + i] = 0.5f * i;
    }
    CHECK(cudaMalloc(&a_d, vectors * n));
    CHECK(cudaMalloc(&y_d, vectors));
    CHECK(cudaMemcpy(a_d, a, vectors * n, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y_d, y, vectors, cudaMemcpyHostToDevice));

    int blocks = (systems + threads - 1) / threads, floats = n * (n + 1) / 2 + n;
//: used by global
    float *work_d;
    CHECK(cudaMalloc(&work_d, (size_t)systems * floats * sizeof *work_d));
    KERNEL<<<blocks, threads>>>(a_d, y_d, n, systems, work_d);
    CHECK(cudaGetLastError());
//: used by padded staged
    floats |= 1;   /* an odd distance has no bank conflicts */
//: used by all but global
    int shared = threads * floats * (int)sizeof(float);

    /* A kernel gets more than 48 KiB only after this request. */
    CHECK(cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
//: used by shared padded staged
    KERNEL<<<blocks, threads, shared>>>(a_d, y_d, n, systems);
    CHECK(cudaGetLastError());
//: used by noguard
    KERNEL<<<blocks, threads, shared>>>(a_d, y_d, n);
    CHECK(cudaGetLastError());
//: used by all

    CHECK(cudaMemcpy(y, y_d, vectors, cudaMemcpyDeviceToHost));   /* waits for the kernel */
    CHECK(cudaFree(a_d));
    CHECK(cudaFree(y_d));
//: used by global
    CHECK(cudaFree(work_d));
//: used by all

    double largest = 0.0, sum = 0.25 * n * (n - 1);   /* the sum of y before */
    for (size_t s = 0; s < systems; s++) {
        double rho = 1.0f / (1.1f + s);
        for (int i = 0; i < n; i++) {
            double right = (0.5 * i - rho * sum / (1.0 - rho + n * rho)) / (1.0 - rho);
            double error = y[s * n + i] - right;
            largest = error > largest ? error : -error > largest ? -error : largest;
        }
    }
    printf("%d systems of %d equations, %d blocks of %d threads: largest difference %.2g: %s\n",
           systems, n, blocks, threads, largest, largest < 0.01 * n ? "right" : "WRONG");
    free(a);
    free(y);
    return largest < 0.01 * n ? 0 : EXIT_FAILURE;
}
