/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of sum.cu's programs (source/code-host.h): the array there, a sum of 0 that the
 * kernel adds to, and that held against a loop in double.  What adds up in float can't be exact:
 * from 16,777,216 on, a float that grows by ones grows no more.
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
static double Serial_sum(const float *data, int n)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++)
        sum += data[i];
    return sum;
}

//: used by all but best cublas
/* Arguments: n, threads in a block, each element. */
//: used by best
/* Arguments: n, threads in a block, each element, blocks. */
//: used by cublas
/* Arguments: n, each element. */
//: used by all
int main(int argc, char *argv[])
{
//: used by all but race nobarrier nobarrier2
    int n = (int)Argument(argc, argv, 1, 1000000);
//: used by race nobarrier nobarrier2
    int n = (int)Argument(argc, argv, 1, 1000);
//: used by all but cublas
    int threads = (int)Argument(argc, argv, 2, 128);
    float each = (float)Argument(argc, argv, 3, 1.0);
//: used by best
    int blocks = (int)Argument(argc, argv, 4, 256);
//: used by cublas
    float each = (float)Argument(argc, argv, 2, 1.0);
//: used by all but cublas

    if (n < 1 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n is at least 1, and a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
//: used by cublas

    if (n < 1) {
        fprintf(stderr, "n is at least 1\n");
        return EXIT_FAILURE;
    }
//: used by all but vector best cublas
    int blocks = (n - 1) / threads + 1;         /* a thread for each element */
//: used by vector
    int blocks = (n / 4 + 2) / threads + 1;     /* one for each four, and three for a rest */
//: used by all
    size_t bytes = n * sizeof(float);
    float *data = (float *)Allocate(bytes);
    for (int i = 0; i < n; i++)
        data[i] = each;

    float *data_d, *sum_d, sum;
    CHECK(cudaMalloc(&data_d, bytes));
    CHECK(cudaMalloc(&sum_d, sizeof *sum_d));
    CHECK(cudaMemcpy(data_d, data, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(sum_d, 0, sizeof *sum_d));   /* four bytes of 0 are 0.0f */

//: used by tree shared0 nobarrier nobarrier2
    /* The third launch argument: shared memory for a float a thread. */
    KERNEL<<<blocks, threads, threads * sizeof(float)>>>(data_d, n, sum_d);
    CHECK(cudaGetLastError());   /* was it a grid that can be? */
//: used by atomic thread0 shuffle vector best race
    KERNEL<<<blocks, threads>>>(data_d, n, sum_d);
    CHECK(cudaGetLastError());   /* was it a grid that can be? */
//: used by cublas
    /* The second vector is a single 1, which a stride of 0 reads again and again. */
    float *one_d, one = 1.0f;
    CHECK(cudaMalloc(&one_d, sizeof *one_d));
    CHECK(cudaMemcpy(one_d, &one, sizeof one, cudaMemcpyHostToDevice));

    cublasHandle_t handle;
    CHECK_BLAS(cublasCreate(&handle));
    CHECK_BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    CHECK_BLAS(cublasSdot(handle, n, data_d, 1, one_d, 0, sum_d));
//: used by all

    /* The copy waits for the kernel. */
    CHECK(cudaMemcpy(&sum, sum_d, sizeof sum, cudaMemcpyDeviceToHost));
//: used by cublas
    CHECK_BLAS(cublasDestroy(handle));
    CHECK(cudaFree(one_d));
//: used by all
    CHECK(cudaFree(data_d));
    CHECK(cudaFree(sum_d));

    double in_double = Serial_sum(data, n);
    double error = sum - in_double;
    double size = in_double < 0 ? -in_double : in_double;
    bool right = error <= 1e-3 * size && -error <= 1e-3 * size;

//: used by all but cublas
    printf("%d blocks of %d threads, n = %d: %.9g, in double %.15g: %s\n", blocks, threads, n,
           sum, in_double, right ? "right" : "WRONG");
//: used by cublas
    printf("n = %d: %.9g, in double %.15g: %s\n", n, sum, in_double, right ? "right" : "WRONG");
//: used by all
    free(data);
    return right ? 0 : EXIT_FAILURE;
}
//: used by cublas
//: nvcc -lcublas
