/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of sumtree.cu's programs (source/code-host.h): the trapezoidal rule's sum with
 * f(x) = 2x + 1 and as many trapezoids as threads, and every step that the kernel left behind.
 * All numbers are whole and small, so the sum is exact in any order.
 */

static float F(int x)
{
    return 2.0f * x + 1.0f;
}

//: used by linear noguard
/* Arguments: threads, then those that go first, as in 8 5 2 3; the others follow in order. */
//: used by tree
/* Argument: threads. */
//: used by shuffle dissemination butterfly
/* Argument: threads, 2, 4, 8, 16 or 32. */
//: used by all
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 8);
    const int first = 1;   /* thread 0 has no value: f(0) is in the start */

//: used by linear noguard tree
    if (n < 2 || n > 32) {
        fprintf(stderr, "2 to 32 threads are one warp\n");
        return EXIT_FAILURE;
    }
//: used by shuffle dissemination butterfly
    if (n < 2 || n > 32 || (n & (n - 1)) != 0) {
        fprintf(stderr, "this takes 2, 4, 8, 16 or 32 threads\n");
        return EXIT_FAILURE;
    }
//: used by all
    float value[32], total = (F(0) + F(n)) / 2, expected = total;
    for (int i = 0; i < n; i++) {
        value[i] = F(i);
        expected += i >= first ? value[i] : 0.0f;
    }

    float *value_d, *total_d;
    CHECK(cudaMalloc(&value_d, sizeof value));
    CHECK(cudaMalloc(&total_d, sizeof total));
    CHECK(cudaMemcpy(value_d, value, sizeof value, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(total_d, &total, sizeof total, cudaMemcpyHostToDevice));

//: used by linear noguard
    int order[32], turn[32], given = 0;
    for (int i = 0; i < n; i++)
        turn[i] = -1;
    for (; given + 2 < argc && given < n; given++) {
        int i = (int)Argument(argc, argv, given + 2, 0);
        if (i < 0 || i >= n || turn[i] >= 0) {
            fprintf(stderr, "%d: the order names threads 0 to %d, each once\n", i, n - 1);
            return EXIT_FAILURE;
        }
        turn[i] = given;
        order[given] = i;
    }
    for (int i = 0; i < n; i++)
        if (turn[i] < 0) {
            turn[i] = given;
            order[given++] = i;
        }

    int *turn_d;
    float *before_d, before[32];
    CHECK(cudaMalloc(&turn_d, sizeof turn));
    CHECK(cudaMalloc(&before_d, sizeof before));
    CHECK(cudaMemcpy(turn_d, turn, n * sizeof *turn, cudaMemcpyHostToDevice));

    KERNEL<<<1, n>>>(value_d, first, turn_d, total_d, before_d);
    CHECK(cudaGetLastError());   /* was it a block that can be? */

    /* The copies wait for the kernel. */
    CHECK(cudaMemcpy(before, before_d, n * sizeof *before, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&total, total_d, sizeof total, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(turn_d));
    CHECK(cudaFree(before_d));

    for (int t = 0; t < n; t++)
        printf("thread %2d: %g + %g = %g\n", order[t], before[t],
               (t + 1 < n ? before[t + 1] : total) - before[t],
               t + 1 < n ? before[t + 1] : total);
//: used by tree shuffle dissemination butterfly
    /* What each thread holds after each of up to 5 steps, step 0 being the start. */
    float *after_d, after[6][MOST];
    int *source_d, source[6][MOST], steps = 0;
    for (int left = n; left > 1; left = (left + 1) / 2)
        steps++;
    size_t rows = (steps + 1) * sizeof after[0];
    CHECK(cudaMalloc(&after_d, rows));
    CHECK(cudaMalloc(&source_d, rows));

    KERNEL<<<1, n>>>(value_d, first, total_d, after_d, source_d);
    CHECK(cudaGetLastError());   /* was it a block that can be? */

    /* The copies wait for the kernel; those of threads that aren't there are left out. */
    for (int step = 0; step <= steps; step++) {
        CHECK(cudaMemcpy(after[step], after_d + step * MOST, n * sizeof(float),
                         cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(source[step], source_d + step * MOST, n * sizeof(int),
                         cudaMemcpyDeviceToHost));
    }
    CHECK(cudaMemcpy(&total, total_d, sizeof total, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(after_d));
    CHECK(cudaFree(source_d));

    for (int step = 0; step <= steps; step++) {
        printf(step ? "step %d:" : "start: ", step);
        for (int i = 0; i < n; i++)
            if (source[step][i] == NOBODY)
                printf("  %g", after[step][i]);
            else
                printf("  %g<-%d", after[step][i], source[step][i]);
        printf("\n");
    }
//: used by all
    CHECK(cudaFree(value_d));
    CHECK(cudaFree(total_d));

    bool right = total == expected;
    printf("%d threads: %g, should be %g: %s\n", n, total, expected, right ? "right" : "WRONG");
    return right ? 0 : EXIT_FAILURE;
}
