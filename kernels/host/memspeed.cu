/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of memspeed.cu's programs (source/code-host.h): the array to the device, and the
 * results back. Each result is compared with plain C. The two events time the kernel alone.
 */

/* Arguments: n, rounds, threads in a block. */
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 1000);
    int rounds = (int)Argument(argc, argv, 2, 20);
    int threads = (int)Argument(argc, argv, 3, 256);

    if (n < 1 || n > 1 << 24 || rounds < 1 || rounds > 100000 || threads < 1 || threads > 1024) {
        fprintf(stderr, "n is 1 to 16777216, rounds are 1 to 100000, a block has 1 to 1024 "
                        "threads\n");
        return EXIT_FAILURE;
    }
    int blocks = (n - 1) / threads + 1;   /* a thread for each element */
    size_t bytes = n * sizeof(unsigned);
    unsigned *x = (unsigned *)Allocate(bytes), *y = (unsigned *)Allocate(bytes);
    for (int i = 0; i < n; i++)
        x[i] = 2654435761u * i;

    unsigned *x_d, *y_d;
    CHECK(cudaMalloc(&x_d, bytes));
    CHECK(cudaMalloc(&y_d, bytes));
    CHECK(cudaMemcpy(x_d, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(y_d, 0, bytes));
//: used by global sameplace
    unsigned *place_d;
    CHECK(cudaMalloc(&place_d, bytes));
//: used by constant
    int words = 1;    /* all lanes of a warp take the same word */
//: used by constant-many
    int words = 32;   /* each lane of a warp takes another word */
//: used by constant constant-many
    unsigned words_of_table[TABLE];
    for (int k = 0; k < TABLE; k++)
        words_of_table[k] = 40503u * k + 1;
    CHECK(cudaMemcpyToSymbol(table, words_of_table, sizeof words_of_table));
//: used by all

    cudaEvent_t start, stop;   /* around the kernel only, not around the copies */
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
//: used by registers short
    KERNEL<<<blocks, threads>>>(x_d, y_d, n, rounds);
//: used by shared
    KERNEL<<<blocks, threads, threads * sizeof(unsigned)>>>(x_d, y_d, n, rounds);
//: used by global sameplace
    KERNEL<<<blocks, threads>>>(x_d, y_d, n, rounds, place_d);
//: used by constant constant-many
    KERNEL<<<blocks, threads>>>(x_d, y_d, n, rounds, words);
//: used by all
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));   /* an error of the kernel shows here */
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaMemcpy(y, y_d, bytes, cudaMemcpyDeviceToHost));

    int right = 0;
    for (int i = 0; i < n; i++) {
        unsigned v = x[i];
        for (int r = 0; r < rounds; r++)
//: used by constant constant-many
            v = 3 * v + words_of_table[(i % threads % words + r) % TABLE];
//: used by all but constant constant-many
            v = 3 * v + 1;
//: used by all
        right += y[i] == v;
    }
    printf("%d rounds: %.4f ms, %d of %d results are right: %s\n", rounds, ms, right, n,
           right == n ? "right" : "WRONG");
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
//: used by global sameplace
    CHECK(cudaFree(place_d));
//: used by all
    CHECK(cudaFree(x_d));
    CHECK(cudaFree(y_d));
    free(x);
    free(y);
    return right == n ? 0 : EXIT_FAILURE;
}
