/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of matmul-mma.cu's program (source/code-host.h). It does what the host part of
 * matmul.cu does for `wmma`, and requests shared memory for the three buffers.
 */

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

/* Arguments: n, m, k. */
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 128);
    int m = (int)Argument(argc, argv, 2, n), k = (int)Argument(argc, argv, 3, n);

    if (m < 1 || n < 1 || k < 1 || m > 4096 || n > 4096 || k > 4096) {
        fprintf(stderr, "n, m and k are 1 to 4096\n");
        return EXIT_FAILURE;
    }
    float *a = (float *)Allocate(m * k * sizeof *a), *b = (float *)Allocate(k * n * sizeof *b);
    float *c = (float *)Allocate(m * n * sizeof *c);
    for (int i = 0; i < m * k; i++)
        a[i] = 0.5f * (i % 7) - 1.0f;   /* f16 has all of these numbers */
    for (int i = 0; i < k * n; i++)
        b[i] = 0.25f * (i % 11) - 1.0f;

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

    /* More than 48 KB must be asked for, once for a kernel. */
    int bytes = STAGES * sizeof(Stage);
    CHECK(cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    dim3 blocks((n + COLS - 1) / COLS, (m + ROWS - 1) / ROWS);
    KERNEL<<<blocks, THREADS, bytes>>>(a_d, b_d, c_d, m, n, k);
    CHECK(cudaGetLastError());   /* an error if the launch is not possible */

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
//: nvcc -arch=sm_80
