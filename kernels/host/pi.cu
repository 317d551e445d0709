/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of pi.cu's programs (source/code-host.h): the hits come back, and the estimate is
 * held against what chance allows.
 */

#include <math.h>
//: used by host
#include <curand.h>

/* Its functions return a status of their own. */
#define CHECK_RAND(call) Check_rand(call, #call, __LINE__)

static void Check_rand(curandStatus_t status, const char *call, int line)
{
    if (status == CURAND_STATUS_SUCCESS)
        return;
    fprintf(stderr, "%s:%d: %s: status %d of cuRAND\n", __FILE__, line, call, (int)status);
    exit(EXIT_FAILURE);
}
//: used by all

/* Arguments: n, blocks, threads in a block. */
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 1 << 24);
    int blocks = (int)Argument(argc, argv, 2, 256), threads = (int)Argument(argc, argv, 3, 256);
    unsigned long long seed = 1;
    const double pi = 3.14159265358979323846;

    if (threads < 1 || threads > 1024 || blocks < 1 || blocks > 65536 || n < blocks * threads) {
        fprintf(stderr, "a block has 1 to 1024 threads, and each thread draws a point\n");
        return EXIT_FAILURE;
    }
    int all = blocks * threads;
    float2 *first_d;
    CHECK(cudaMalloc(&first_d, all * sizeof *first_d));

//: used by normal
    float *sums = (float *)Allocate(all * sizeof *sums), *sums_d;
    unsigned long long *within_d, within[3];
    CHECK(cudaMalloc(&sums_d, all * sizeof *sums_d));
    CHECK(cudaMalloc(&within_d, sizeof within));
    CHECK(cudaMemset(within_d, 0, sizeof within));
    KERNEL<<<blocks, threads>>>(seed, n, first_d, sums_d, within_d);
    CHECK(cudaGetLastError());   /* the grid can be too large */

    /* The copies wait for the kernel. */
    CHECK(cudaMemcpy(sums, sums_d, all * sizeof *sums, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(within, within_d, sizeof within, cudaMemcpyDeviceToHost));
    double sum = 0.0;
    for (int i = 0; i < all; i++)
        sum += sums[i];
    double mean = sum / n, estimate = 2.0 / (mean * mean), usual = 4.75 / sqrt((double)n);
    printf("%.2f %% up to 1, %.2f %% up to 2, %.2f %% up to 3\n", 100.0 * within[0] / n,
           100.0 * within[1] / n, 100.0 * within[2] / n);
    free(sums);
    CHECK(cudaFree(sums_d));
    CHECK(cudaFree(within_d));
//: used by all but normal
    unsigned long long *hits_d, hits;
    CHECK(cudaMalloc(&hits_d, sizeof *hits_d));
    CHECK(cudaMemset(hits_d, 0, sizeof *hits_d));
//: used by sequence seeds own oneseed
    KERNEL<<<blocks, threads>>>(seed, n, first_d, hits_d);
    CHECK(cudaGetLastError());   /* the grid can be too large */
//: used by host

    /* cuRAND fills the array: two numbers for each point. It begins its kernels in the same stream,
     * so the kernel comes after them. */
    curandGenerator_t generator;
    float2 *points_d;
    CHECK(cudaMalloc(&points_d, n * sizeof *points_d));
    CHECK_RAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    CHECK_RAND(curandSetPseudoRandomGeneratorSeed(generator, seed));
    CHECK_RAND(curandGenerateUniform(generator, (float *)points_d, 2 * (size_t)n));
    KERNEL<<<blocks, threads>>>(n, points_d, first_d, hits_d);
    CHECK(cudaGetLastError());   /* the grid can be too large */
//: used by saved unsaved

    /* A state per thread is set up. Then several launches draw n points together. */
    enum { LAUNCHES = 4 };
    State *states_d;
    CHECK(cudaMalloc(&states_d, all * sizeof *states_d));
    pi_start<<<blocks, threads>>>(seed, states_d);
    CHECK(cudaGetLastError());   /* the grid can be too large */
    for (int k = 0; k < LAUNCHES; k++) {
        KERNEL<<<blocks, threads>>>(n / LAUNCHES + (k < n % LAUNCHES), states_d, first_d, hits_d);
        CHECK(cudaGetLastError());
    }
//: used by all but normal

    /* The copy waits for the kernel. */
    CHECK(cudaMemcpy(&hits, hits_d, sizeof hits, cudaMemcpyDeviceToHost));
    double estimate = 4.0 * hits / n, usual = 1.65 / sqrt((double)n);
    CHECK(cudaFree(hits_d));
//: used by host
    CHECK_RAND(curandDestroyGenerator(generator));
    CHECK(cudaFree(points_d));
//: used by saved unsaved
    CHECK(cudaFree(states_d));
//: used by all
    CHECK(cudaFree(first_d));

    double error = fabs(estimate - pi);
    printf("%d random numbers or points: %.7f, error %.2g, by chance about %.2g: %s\n", n, estimate,
           error, usual, error <= 5 * usual ? "possible" : "TOO FAR OFF");
    return error <= 5 * usual ? 0 : EXIT_FAILURE;
}
//: used by host
//: nvcc -lcurand
