/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of vecadd.cu's programs (source/code-host.h): the vectors there, the sum back, and
 * each element held against plain C.  What lies behind z matters to noguard alone, which writes
 * there; nosync has memory that both sides reach, since a copy would wait.
 */

/* How many elements are not what plain C makes of them? */
static int Count_wrong(const float *x, const float *y, const float *z, int n)
{
    int wrong = 0;

    for (int i = 0; i < n; i++)
        wrong += z[i] != x[i] + y[i];
    return wrong;
}

//: used by both noguard nosync
/* Arguments: n, threads in a block. */
//: used by gridstride
/* Arguments: n, threads in a block, blocks. */
//: used by blocks threads
/* Argument: n. */
//: used by all
int main(int argc, char *argv[])
{
//: used by all but nosync
    int n = (int)Argument(argc, argv, 1, 997);
//: used by nosync
    int n = (int)Argument(argc, argv, 1, 1 << 20);
//: used by all but blocks threads
    int threads = (int)Argument(argc, argv, 2, 256);
//: used by gridstride
    int blocks = (int)Argument(argc, argv, 3, 2);
//: used by all but blocks threads

    if (n < 1 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n is at least 1, and a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
//: used by blocks

    if (n < 1) {
        fprintf(stderr, "n is at least 1\n");
        return EXIT_FAILURE;
    }
//: used by threads

    if (n < 1 || n > 1024) {
        fprintf(stderr, "n is 1 to 1024 here: one block has no more threads\n");
        return EXIT_FAILURE;
    }
//: used by both nosync
    int blocks = (n - 1) / threads + 1;   /* a thread for each i */
//: used by blocks
    int blocks = n, threads = 1;
//: used by threads
    int blocks = 1, threads = n;
//: used by noguard
    int blocks = n / threads + 1;         /* some threads too many, whatever n is */
    int behind = threads;
//: used by all
    size_t bytes = n * sizeof(float);
//: used by all but nosync noguard
    float *x = (float *)Allocate(bytes), *y = (float *)Allocate(bytes);
    float *z = (float *)Allocate(bytes);
    float *x_d, *y_d, *z_d;
    CHECK(cudaMalloc(&x_d, bytes));
    CHECK(cudaMalloc(&y_d, bytes));
    CHECK(cudaMalloc(&z_d, bytes));
//: used by noguard
    size_t room = bytes + behind * sizeof(float);
    float *x = (float *)Allocate(bytes), *y = (float *)Allocate(bytes);
    float *z = (float *)Allocate(room);
    float *x_d, *y_d, *z_d;
    CHECK(cudaMalloc(&x_d, bytes));
    CHECK(cudaMalloc(&y_d, bytes));
    CHECK(cudaMalloc(&z_d, room));   /* z, and behind it what is none of the kernel's */
//: used by nosync
    float *x, *y, *z;
    CHECK(cudaMallocManaged(&x, bytes));
    CHECK(cudaMallocManaged(&y, bytes));
    CHECK(cudaMallocManaged(&z, bytes));
//: used by all

    for (int i = 0; i < n; i++) {
        x[i] = 0.5f * (i % 1000);
        y[i] = 0.25f * (i % 777) + 1.0f;
//: used by nosync
        z[i] = 0.0f;   /* no sum is */
//: used by all
    }
//: used by noguard
    for (int i = 0; i < n + behind; i++)
        z[i] = -1.0f;   /* no sum is */
    CHECK(cudaMemcpy(z_d, z, room, cudaMemcpyHostToDevice));
//: used by all but nosync
    CHECK(cudaMemcpy(x_d, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y_d, y, bytes, cudaMemcpyHostToDevice));

    KERNEL<<<blocks, threads>>>(x_d, y_d, z_d, n);
    CHECK(cudaGetLastError());   /* was it a grid that can be? */

    /* The copy waits for the kernel. */
//: used by all but nosync noguard
    CHECK(cudaMemcpy(z, z_d, bytes, cudaMemcpyDeviceToHost));
    int wrong = Count_wrong(x, y, z, n);
    printf("%d blocks of %d threads, n = %d, %d wrong: %s\n", blocks, threads, n, wrong,
           wrong ? "WRONG" : "right");
//: used by noguard
    CHECK(cudaMemcpy(z, z_d, room, cudaMemcpyDeviceToHost));
    int wrong = Count_wrong(x, y, z, n), lost = 0;
    for (int i = n; i < n + behind; i++)
        lost += z[i] != -1.0f;
    printf("%d blocks of %d threads, n = %d, %d wrong, %d lost behind z: %s\n", blocks, threads,
           n, wrong, lost, wrong || lost ? "WRONG" : "right");
    wrong += lost;
//: used by all but nosync
    CHECK(cudaFree(x_d));
    CHECK(cudaFree(y_d));
    CHECK(cudaFree(z_d));
    free(x);
    free(y);
    free(z);
//: used by nosync

    KERNEL<<<blocks, threads>>>(x, y, z, n);
    CHECK(cudaGetLastError());   /* was it a grid that can be? */

    /* WRONG: nobody has waited.  Before compute capability 6.0 this look ends the program. */
    int wrong = Count_wrong(x, y, z, n);
    CHECK(cudaDeviceSynchronize());   /* too late */
    int later = Count_wrong(x, y, z, n);
    printf("%d blocks of %d threads, n = %d, %d wrong: %s; after the wait %d\n", blocks, threads,
           n, wrong, wrong ? "WRONG" : "right, by luck", later);
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(z));
//: used by all
    return wrong ? EXIT_FAILURE : 0;
}
