/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of dot.cu's programs (source/code-host.h): both arrays there, the sum of their
 * products back, held against a loop in double.
 */

//: used by cublas
#include <cublas_v2.h>

/* Its calls return a status of their own. */
#define CHECK_BLAS(call) Check_blas(call, #call, __LINE__)

static void Check_blas(cublasStatus_t status, const char *call, int line)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, cublasGetStatusString(status));
    exit(EXIT_FAILURE);
}

//: used by all
/* The same on the host, in double. */
static double Serial_dot(const float *a, const float *b, int n)
{
    double dot = 0.0;

    for (int i = 0; i < n; i++)
        dot += (double)a[i] * b[i];
    return dot;
}

//: used by all but partials two-kernels gridstride best cublas
/* Arguments: n, threads in a block. */
//: used by partials two-kernels gridstride best
/* Arguments: n, threads in a block, blocks. */
//: used by cublas
/* Argument: n. */
//: used by all
int main(int argc, char *argv[])
{
//: used by all but nonpow2
    int n = (int)Argument(argc, argv, 1, 1 << 18);
//: used by nonpow2
    int n = (int)Argument(argc, argv, 1, 1000);
    int threads = (int)Argument(argc, argv, 2, 100);
//: used by all but best nonpow2 cublas
    int threads = (int)Argument(argc, argv, 2, 256);
//: used by partials two-kernels
    int blocks = (int)Argument(argc, argv, 3, 32);
//: used by gridstride
    int blocks = (int)Argument(argc, argv, 3, 256);
//: used by best
    int threads = (int)Argument(argc, argv, 2, 1024), blocks = (int)Argument(argc, argv, 3, 16);
//: used by all but cublas

    if (n < 1 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n is at least 1, and a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
//: used by partials two-kernels
    if (blocks < 1) {
        fprintf(stderr, "there is at least 1 block\n");
        return EXIT_FAILURE;
    }
//: used by cublas

    if (n < 1) {
        fprintf(stderr, "n is at least 1\n");
        return EXIT_FAILURE;
    }
//: used by atomic shared-atomic shuffle-atomic nonpow2
    int blocks = (n - 1) / threads + 1;   /* a thread for each product */
//: used by all
    size_t bytes = n * sizeof(float);
    float *a = (float *)Allocate(bytes), *b = (float *)Allocate(bytes);
    for (int i = 0; i < n; i++) {
        a[i] = 0.5f * (i % 1000);
        b[i] = 0.25f * (i % 777) + 1.0f;
    }

    float *a_d, *b_d;
    CHECK(cudaMalloc(&a_d, bytes));
    CHECK(cudaMalloc(&b_d, bytes));
    CHECK(cudaMemcpy(a_d, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b_d, b, bytes, cudaMemcpyHostToDevice));

//: used by partials two-kernels
    /* A sum from each block; the third launch argument is for a float a thread. */
    float *partial_d;
    CHECK(cudaMalloc(&partial_d, blocks * sizeof *partial_d));
    KERNEL<<<blocks, threads, threads * sizeof(float)>>>(a_d, b_d, n, partial_d);
    CHECK(cudaGetLastError());   /* was it a grid that can be? */

//: used by partials
    /* The copy waits for the kernel; then the host adds. */
    float *partial = (float *)Allocate(blocks * sizeof *partial), dot = 0.0f;
    CHECK(cudaMemcpy(partial, partial_d, blocks * sizeof *partial, cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocks; i++)
        dot += partial[i];
    free(partial);
//: used by two-kernels
    /* It starts when the first one is done: a stream keeps order. */
    float *dot_d, dot;
    CHECK(cudaMalloc(&dot_d, sizeof *dot_d));
    dot_finish<<<1, threads, threads * sizeof(float)>>>(partial_d, blocks, dot_d);
    CHECK(cudaGetLastError());
//: used by all but partials two-kernels cublas
    float *dot_d, dot;
    CHECK(cudaMalloc(&dot_d, sizeof *dot_d));
    CHECK(cudaMemset(dot_d, 0, sizeof *dot_d));   /* four bytes of 0 are 0.0f */
//: used by shared-atomic nonpow2
    /* The third launch argument: shared memory for a float a thread. */
    KERNEL<<<blocks, threads, threads * sizeof(float)>>>(a_d, b_d, n, dot_d);
    CHECK(cudaGetLastError());   /* was it a grid that can be? */
//: used by atomic shuffle-atomic gridstride best
    KERNEL<<<blocks, threads>>>(a_d, b_d, n, dot_d);
    CHECK(cudaGetLastError());   /* was it a grid that can be? */
//: used by all but partials cublas

    /* The copy waits for the kernel. */
    CHECK(cudaMemcpy(&dot, dot_d, sizeof dot, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dot_d));
//: used by partials two-kernels
    CHECK(cudaFree(partial_d));
//: used by cublas
    /* With the answer on the host, the call waits for it. */
    float dot;
    cublasHandle_t handle;
    CHECK_BLAS(cublasCreate(&handle));
    CHECK_BLAS(cublasSdot(handle, n, a_d, 1, b_d, 1, &dot));
    CHECK_BLAS(cublasDestroy(handle));
//: used by all
    CHECK(cudaFree(a_d));
    CHECK(cudaFree(b_d));

    double in_double = Serial_dot(a, b, n);
    double error = dot - in_double;
    bool right = error <= 1e-3 * in_double && -error <= 1e-3 * in_double;

//: used by all but cublas
    printf("%d blocks of %d threads, n = %d: %.9g, in double %.15g: %s\n", blocks, threads, n,
           dot, in_double, right ? "right" : "WRONG");
//: used by cublas
    printf("n = %d: %.9g, in double %.15g: %s\n", n, dot, in_double, right ? "right" : "WRONG");
//: used by all
    free(a);
    free(b);
    return right ? 0 : EXIT_FAILURE;
}
//: used by cublas
//: nvcc -lcublas
