/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of matadd.cu's programs (source/code-host.h): both matrices go to the device, and
 * their sum comes back. Each element is compared with plain C.
 */

/* Arguments: rows, columns. */
int main(int argc, char *argv[])
{
    int rows = (int)Argument(argc, argv, 1, 96), cols = (int)Argument(argc, argv, 2, 96);

    if (rows < 1 || cols < 1 || rows > 4096 || cols > 4096) {
        fprintf(stderr, "there are 1 to 4096 rows and columns\n");
        return EXIT_FAILURE;
    }
    int n = rows * cols;
    size_t width = cols * sizeof(float);   /* bytes of a row */
    float *a = (float *)Allocate(n * sizeof *a), *b = (float *)Allocate(n * sizeof *b);
    float *c = (float *)Allocate(n * sizeof *c);
    for (int i = 0; i < n; i++) {
        a[i] = 0.5f * (i % 1000);
        b[i] = 0.25f * (i % 777) + 1.0f;
        c[i] = -1.0f;   /* no sum is */
    }

    float *a_d, *b_d, *c_d;
    size_t pitch;   /* bytes from row to row; the same for three matrices of one width */
//: used by all but dense
    CHECK(cudaMallocPitch(&a_d, &pitch, width, rows));
    CHECK(cudaMallocPitch(&b_d, &pitch, width, rows));
    CHECK(cudaMallocPitch(&c_d, &pitch, width, rows));
    CHECK(cudaMemcpy2D(a_d, pitch, a, width, width, rows, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(b_d, pitch, b, width, width, rows, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(c_d, pitch, c, width, width, rows, cudaMemcpyHostToDevice));

//: used by dense
    pitch = width;
    CHECK(cudaMalloc(&a_d, pitch * rows));
    CHECK(cudaMalloc(&b_d, pitch * rows));
    CHECK(cudaMalloc(&c_d, pitch * rows));
    CHECK(cudaMemcpy(a_d, a, pitch * rows, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b_d, b, pitch * rows, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(c_d, c, pitch * rows, cudaMemcpyHostToDevice));

//: used by colx dense nopitch bytepitch
    dim3 threads(32, 8), blocks((cols + 31) / 32, (rows + 7) / 8);
//: used by rowx
    dim3 threads(32, 8), blocks((rows + 31) / 32, (cols + 7) / 8);   /* x goes along the rows */
//: used by flat
    dim3 threads(256), blocks((n + 255) / 256);
//: used by rowblocks
    dim3 threads(256), blocks(rows);
//: used by all
    KERNEL<<<blocks, threads>>>(a_d, b_d, c_d, rows, cols, (int)pitch);
    CHECK(cudaGetLastError());   /* an error if the launch is not possible */

    /* The copy waits for the kernel. */
//: used by all but dense
    CHECK(cudaMemcpy2D(c, width, c_d, pitch, width, rows, cudaMemcpyDeviceToHost));
//: used by dense
    CHECK(cudaMemcpy(c, c_d, pitch * rows, cudaMemcpyDeviceToHost));
//: used by all
    CHECK(cudaFree(a_d));
    CHECK(cudaFree(b_d));
    CHECK(cudaFree(c_d));

    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += c[i] != a[i] + b[i];
    printf("%d x %d, the pitch is %d bytes, %d wrong: %s\n", rows, cols, (int)pitch, wrong,
           wrong ? "WRONG" : "right");
    free(a);
    free(b);
    free(c);
    return wrong ? EXIT_FAILURE : 0;
}
