/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of transpose.cu's programs (source/code-host.h): A goes to the device, and B comes
 * back. Each element is compared with plain C.
 */

/* Arguments: columns of A, rows of A. */
int main(int argc, char *argv[])
{
//: used by nobarrier sameplace
    int cols = (int)Argument(argc, argv, 1, 64), rows = (int)Argument(argc, argv, 2, cols);
//: used by all but nobarrier sameplace
    int cols = (int)Argument(argc, argv, 1, 1024), rows = (int)Argument(argc, argv, 2, cols);
//: used by all

    if (rows < 1 || cols < 1 || rows > 16384 || cols > 16384) {
        fprintf(stderr, "there are 1 to 16384 rows and columns\n");
        return EXIT_FAILURE;
    }
    int n = rows * cols;
    float *a = (float *)Allocate(n * sizeof *a), *b = (float *)Allocate(n * sizeof *b);
    for (int i = 0; i < n; i++) {
        a[i] = 0.5f * (i % 99991);
        b[i] = -1.0f;   /* no element of A is */
    }

    float *a_d, *b_d;
    CHECK(cudaMalloc(&a_d, n * sizeof *a_d));
    CHECK(cudaMalloc(&b_d, n * sizeof *b_d));
    CHECK(cudaMemcpy(a_d, a, n * sizeof *a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b_d, b, n * sizeof *b, cudaMemcpyHostToDevice));

//: used by naive-write
    dim3 threads(32, 32), blocks((rows + 31) / 32, (cols + 31) / 32);   /* x goes along the rows */
//: used by rows4
    dim3 threads(32, 8), blocks((cols + 31) / 32, (rows + 31) / 32);
//: used by best copy
    dim3 threads(THREADS), blocks((cols + WIDE - 1) / WIDE, (rows + WIDE - 1) / WIDE);
//: used by all but naive-write rows4 best copy
    dim3 threads(32, 32), blocks((cols + 31) / 32, (rows + 31) / 32);
//: used by all
    KERNEL<<<blocks, threads>>>(a_d, b_d, rows, cols);
    CHECK(cudaGetLastError());   /* an error if the launch is not possible */

    /* The copy waits for the kernel. */
    CHECK(cudaMemcpy(b, b_d, n * sizeof *b, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a_d));
    CHECK(cudaFree(b_d));

    int wrong = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
//: used by copy
            wrong += b[i * cols + j] != a[i * cols + j];   /* B is a copy of A */
//: used by all but copy
            wrong += b[j * rows + i] != a[i * cols + j];
//: used by all
    printf("A %d x %d: %d of %d elements of B are wrong: %s\n", rows, cols, wrong, n,
           wrong ? "WRONG" : "right");
    free(a);
    free(b);
    return wrong ? EXIT_FAILURE : 0;
}
