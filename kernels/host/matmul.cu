/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of matmul.cu's programs (source/code-host.h): A and B go to the device, and C comes
 * back. Each element of C is compared with a loop in double.
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
/* Counts the elements of C that differ from the loop in double by more than roundings can. */
static int Count_wrong(const float *a, const float *b, const float *c, int m, int n, int k)
{
    int wrong = 0;

    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0, size = 0.0;
            for (int l = 0; l < k; l++) {
                double product = (double)a[i * k + l] * b[l * n + j];
                sum += product;
                size += product < 0 ? -product : product;
            }
            double off = c[i * n + j] - sum;
            wrong += !((off < 0 ? -off : off) <= 1e-6 * (k + 1) * size);
        }
    return wrong;
}

//: used by oneblock
/* Arguments: n, m, k. C has m x n elements, at most 1,024. */
//: used by all but oneblock
/* Arguments: n, m, k. */
//: used by all
int main(int argc, char *argv[])
{
//: used by oneblock
    int n = (int)Argument(argc, argv, 1, 32);
//: used by nobarrier1 nobarrier2
    int n = (int)Argument(argc, argv, 1, 40);
//: used by all but oneblock nobarrier1 nobarrier2
    int n = (int)Argument(argc, argv, 1, 128);
//: used by all
    int m = (int)Argument(argc, argv, 2, n), k = (int)Argument(argc, argv, 3, n);

    if (m < 1 || n < 1 || k < 1 || m > 4096 || n > 4096 || k > 4096) {
        fprintf(stderr, "n, m and k are 1 to 4096\n");
        return EXIT_FAILURE;
    }
//: used by oneblock
    if (m * n > 1024) {
        fprintf(stderr, "one block has at most 1024 threads, and C has %d elements\n", m * n);
        return EXIT_FAILURE;
    }
//: used by warptile
    if (m % 128 || n % 128 || k % 8) {
        fprintf(stderr, "m and n are multiples of 128, and k is a multiple of 8\n");
        return EXIT_FAILURE;
    }
//: used by all
    float *a = (float *)Allocate(m * k * sizeof *a), *b = (float *)Allocate(k * n * sizeof *b);
    float *c = (float *)Allocate(m * n * sizeof *c);
    for (int i = 0; i < m * k; i++)
        a[i] = 0.5f * (i % 7) - 1.0f;   /* f16 has all of these numbers */
    for (int i = 0; i < k * n; i++)
        b[i] = 0.25f * (i % 11) - 1.0f;

//: used by all but wmma
    float *a_d, *b_d, *c_d;
    CHECK(cudaMalloc(&a_d, m * k * sizeof *a_d));
    CHECK(cudaMalloc(&b_d, k * n * sizeof *b_d));
    CHECK(cudaMalloc(&c_d, m * n * sizeof *c_d));
    CHECK(cudaMemcpy(a_d, a, m * k * sizeof *a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b_d, b, k * n * sizeof *b, cudaMemcpyHostToDevice));
//: used by wmma
    /* A and B go to the device in f16. */
    half *a_half = (half *)Allocate(m * k * sizeof *a_half);
    half *b_half = (half *)Allocate(k * n * sizeof *b_half);
    for (int i = 0; i < m * k; i++)
        a_half[i] = __float2half(a[i]);
    for (int i = 0; i < k * n; i++)
        b_half[i] = __float2half(b[i]);
    half *a_d, *b_d;
    float *c_d;
    CHECK(cudaMalloc(&a_d, m * k * sizeof *a_d));
    CHECK(cudaMalloc(&b_d, k * n * sizeof *b_d));
    CHECK(cudaMalloc(&c_d, m * n * sizeof *c_d));
    CHECK(cudaMemcpy(a_d, a_half, m * k * sizeof *a_d, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b_d, b_half, k * n * sizeof *b_d, cudaMemcpyHostToDevice));
    free(a_half);
    free(b_half);
//: used by all

//: used by oneblock
    dim3 blocks(1), threads(n, m);
//: used by naive-rowx
    dim3 threads(32, 8), blocks((m + 31) / 32, (n + 7) / 8);   /* x goes along the rows */
//: used by naive
    dim3 threads(32, 8), blocks((n + 31) / 32, (m + 7) / 8);
//: used by tiled16 nobarrier1 nobarrier2
    dim3 threads(16, 16), blocks((n + 15) / 16, (m + 15) / 16);
//: used by tiled32
    dim3 threads(32, 32), blocks((n + 31) / 32, (m + 31) / 32);
//: used by regtile
    dim3 threads(16, 16), blocks((n + 63) / 64, (m + 63) / 64);
//: used by regtile8
    dim3 threads(16, 16), blocks((n + 127) / 128, (m + 127) / 128);
//: used by wide double
    dim3 threads(256), blocks((n + 127) / 128, (m + 127) / 128);
//: used by warptile
    dim3 threads(256), blocks(n / 128, m / 128);
//: used by wmma
    dim3 threads(128), blocks((n + 63) / 64, (m + 63) / 64);
//: used by all but cublas
    KERNEL<<<blocks, threads>>>(a_d, b_d, c_d, m, n, k);
    CHECK(cudaGetLastError());   /* an error if the launch is not possible */
//: used by cublas
    /* For cuBLAS our matrices are transposed. So it computes the transpose of C. */
    const float one = 1.0f, zero = 0.0f;
    cublasHandle_t handle;
    CHECK_BLAS(cublasCreate(&handle));
    CHECK_BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b_d, n, a_d, k, &zero,
                           c_d, n));
    CHECK_BLAS(cublasDestroy(handle));
//: used by all

    /* The copy waits for the kernel. */
    CHECK(cudaMemcpy(c, c_d, m * n * sizeof *c, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a_d));
    CHECK(cudaFree(b_d));
    CHECK(cudaFree(c_d));

    int wrong = Count_wrong(a, b, c, m, n, k);
    printf("A %d x %d, B %d x %d: %d of %d elements of C are wrong: %s\n", m, k, k, n, wrong, m * n,
           wrong ? "WRONG" : "right");
    free(a);
    free(b);
    free(c);
    return wrong ? EXIT_FAILURE : 0;
}
//: used by cublas
//: nvcc -lcublas
