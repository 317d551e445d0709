/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of diverge.cu's programs (source/code-host.h): the elements, the launch, and each
 * result next to plain C's result. The profiler ncu counts the branches.
 */

//: used by lane
/* Arguments: elements, threads on the same side. */
//: used by warp data sorted select meet nosync
/* Argument: elements. */
//: used by loop return
/* Arguments: elements, rounds of the loop. */
//: used by switch
/* Arguments: elements, ways. */
//: used by sorted
/* The elements that are not negative come first. */
static int By_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

//: used by loop return
static float After_rounds(float v, int rounds)
{
    for (int k = 0; k < rounds; k++)
        v = 0.5f * v + 1;
    return v;
}

//: used by switch
static float After_switch(float v, int way)
{
    switch (way) {
    case 0: return v + 1;
    case 1: return v - 2;
    case 2: return v * 3;
    case 3: return 4 - v;
    case 4: return v * 0.5f;
    case 5: return -v;
    case 6: return v + 7;
    default: return 8;
    }
}

//: used by all
int main(int argc, char *argv[])
{
    int n = (int)Argument(argc, argv, 1, 256);
//: used by lane
    int group = (int)Argument(argc, argv, 2, 1);
//: used by warp
    int group = 32;   /* whole warps */
//: used by loop return
    int rounds = (int)Argument(argc, argv, 2, 6);
//: used by switch
    int ways = (int)Argument(argc, argv, 2, 4);
//: used by all
    int threads = 128, blocks = (n + threads - 1) / threads, right = 0;
    unsigned state = 1;

    if (n < 1 || n > 1 << 22) {
        fprintf(stderr, "elements are 1 to 2^22\n");
        return EXIT_FAILURE;
    }
//: used by lane
    if (group < 1) {
        fprintf(stderr, "at least one thread takes the same side\n");
        return EXIT_FAILURE;
    }
//: used by loop return
    if (rounds < 1 || rounds > 1000) {
        fprintf(stderr, "rounds are 1 to 1000\n");
        return EXIT_FAILURE;
    }
//: used by switch
    if (ways < 1 || ways > 8) {
        fprintf(stderr, "ways are 1 to 8\n");
        return EXIT_FAILURE;
    }
//: used by all
    float *x = (float *)Allocate(n * sizeof(float)), *x_d;
    float *y = (float *)Allocate(n * sizeof(float));
//: used by loop
    int *count = (int *)Allocate(n * sizeof(int)), *count_d;
//: used by all
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = (int)(state >> 24) - 128;
//: used by loop
        count[i] = 1 + (int)(state >> 8) % rounds;
//: used by all
    }
//: used by sorted
    qsort(x, n, sizeof *x, By_value);
//: used by all
    CHECK(cudaMalloc(&x_d, n * sizeof(float)));
    CHECK(cudaMemcpy(x_d, x, n * sizeof(float), cudaMemcpyHostToDevice));

//: used by lane warp
    KERNEL<<<blocks, threads>>>(x_d, n, group);
//: used by data sorted select meet nosync
    KERNEL<<<blocks, threads>>>(x_d, n);
//: used by loop
    CHECK(cudaMalloc(&count_d, n * sizeof(int)));
    CHECK(cudaMemcpy(count_d, count, n * sizeof(int), cudaMemcpyHostToDevice));
    KERNEL<<<blocks, threads>>>(count_d, x_d, n);
//: used by return
    KERNEL<<<blocks, threads>>>(x_d, n, rounds);
//: used by switch
    KERNEL<<<blocks, threads>>>(x_d, n, ways);
//: used by all
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(y, x_d, n * sizeof(float), cudaMemcpyDeviceToHost));

    for (int i = 0; i < n; i++) {
//: used by lane warp
        float want = i % threads / group % 2 == 0 ? x[i] + 1 : x[i] - 2;
//: used by data sorted select
        float want = x[i] >= 0 ? x[i] + 1 : x[i] - 2;
//: used by loop
        float want = After_rounds(x[i], count[i]);
//: used by return
        float want = x[i] < 0 ? x[i] : After_rounds(x[i], rounds);
//: used by switch
        float want = After_switch(x[i], i % threads % ways);
//: used by meet nosync
        int own = i % threads, first = i - own;
        int other = first + (own ^ 1) < n ? own ^ 1 : own;   /* the block has an even size */
        float want = other % 2 == 0 ? x[first + other] + 1 : x[first + other] - 2;
//: used by all
        right += y[i] == want;
    }
    printf("%d of %d results are right\n", right, n);
//: used by loop
    CHECK(cudaFree(count_d));
    free(count);
//: used by all
    CHECK(cudaFree(x_d));
    free(x);
    free(y);
    return right == n ? 0 : EXIT_FAILURE;
}
