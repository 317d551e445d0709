/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of throughput.cu's programs (source/code-host.h): one block, so one SM; how many
 * results it had a clock, from the first warp's start to the last one's end; and all chains once
 * more in plain C.
 */

//: used by f32 promoted special
typedef float Number;
//: used by f64
typedef double Number;
//: used by int-add int-mul
typedef unsigned Number;
//: used by f16
typedef unsigned Number;   /* two halves */
//: used by all
enum { WARP = 32, MOST_WARPS = 32 };

//: used by f32 f64 promoted int-add int-mul
/* Has a thread got what plain C gets? */
static bool Is_right(int thread, int steps, const Number got[CHAINS])
{
    Number x[CHAINS];
    bool right = true;

    for (int c = 0; c < CHAINS; c++)
        x[c] = (Number)(thread + c);
    for (int k = 0; k < steps; k++)
        for (int c = 0; c < CHAINS; c++)
//: used by f32
            x[c] = 0.7f - x[c];
//: used by f64
            x[c] = 0.7 - x[c];
//: used by promoted
            x[c] = (float)(0.7 - x[c]);   /* in double, as in the kernel */
//: used by int-add
            x[c] += x[(c + 1) % CHAINS];
//: used by int-mul
            x[c] = x[c] * 1664525u + 1013904223u;
//: used by f32 f64 promoted int-add int-mul
    for (int c = 0; c < CHAINS; c++)
        right = right && got[c] == x[c];
    return right;
}
//: used by f16
/* The number that 16 bits stand for, where it is 0 or at least 1 and below 2048. */
static float Half_value(unsigned bits)
{
    float value = 1024.0f + (bits & 1023);

    for (int exponent = bits >> 10 & 31; exponent < 25; exponent++)
        value /= 2;
    return bits == 0 ? 0.0f : value;
}

/* 1 - x, an even number of times, of numbers that halves hold: all is as it was. */
static bool Is_right(int thread, int, const Number got[CHAINS])
{
    bool right = true;

    for (int c = 0; c < CHAINS; c++)
        right = right && Half_value(got[c] & 0xffff) == thread + c &&
                Half_value(got[c] >> 16) == thread + c;
    return right;
}
//: used by special
/* Where the chains of each function come to rest; 1/x goes to and fro, and is back at the end. */
static const struct {
    const char *name;
    void (*kernel)(float minus_one, int steps, float *out, long long *clocks);
    double rest;
} functions[] = {
    {"rcp", run_rcp, 0},
    {"rsqrt", run_rsqrt, 1},                  /* 1 / sqrt(x) = x */
    {"lg2", run_lg2, 2},                      /* log2(x + 2) = x */
    {"ex2", run_ex2, 0.641185744504985984},   /* 2^-x = x */
    {"sin", run_sin, 0.934563210752024287},   /* sin(x + 1) = x */
    {"cos", run_cos, 0.739085133215160642},   /* cos(x) = x */
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* The hardware's functions are near, not exact. */
static bool Is_right(int which, const Number got[CHAINS])
{
    static const double first[CHAINS] = {0.25, 0.5, 1, 4};
    bool right = true;

    for (int c = 0; c < CHAINS; c++) {
        double rest = which == 0 ? first[c] : functions[which].rest;
        double off = got[c] - rest;
        right = right && off <= 1e-4 * rest && -off <= 1e-4 * rest;
    }
    return right;
}
//: used by all

//: used by all but special
/* Arguments: threads, steps of each chain. */
//: used by special
/* Arguments: threads, steps of each chain, and 0 to 5 for rcp, rsqrt, lg2, ex2, sin or cos. */
//: used by all
int main(int argc, char *argv[])
{
    int threads = (int)Argument(argc, argv, 1, 1024);
    int steps = (int)Argument(argc, argv, 2, 1024);
//: used by special
    int which = (int)Argument(argc, argv, 3, 0);
//: used by all
    if (threads < 1 || threads > WARP * MOST_WARPS || steps < 32 || steps > 1 << 20 ||
        steps % UNROLL != 0) {
        fprintf(stderr, "a block has 1 to 1024 threads; steps are a multiple of %d, 32 to 2^20\n",
                UNROLL);
        return EXIT_FAILURE;
    }
//: used by special
    if (which < 0 || which >= FUNCTIONS) {
        fprintf(stderr, "functions are 0 to %d\n", FUNCTIONS - 1);
        return EXIT_FAILURE;
    }
//: used by all

    size_t bytes = (size_t)threads * CHAINS * sizeof(Number);
    Number *out = (Number *)Allocate(bytes), *out_d;
    long long clocks[MOST_WARPS][2], *clocks_d;
    CHECK(cudaMalloc(&out_d, bytes));
    CHECK(cudaMalloc(&clocks_d, sizeof clocks));

//: used by all but special
    KERNEL<<<1, threads>>>(-1.0f, steps, out_d, clocks_d);
//: used by special
    functions[which].kernel<<<1, threads>>>(-1.0f, steps, out_d, clocks_d);
//: used by all
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, out_d, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(clocks, clocks_d, sizeof clocks, cudaMemcpyDeviceToHost));

    long long from = clocks[0][0], to = clocks[0][1];
    for (int w = 1; w < (threads + WARP - 1) / WARP; w++) {
        from = clocks[w][0] < from ? clocks[w][0] : from;
        to = clocks[w][1] > to ? clocks[w][1] : to;
    }
    int right = 0;
    for (int t = 0; t < threads; t++) {
        Number got[CHAINS];
        for (int c = 0; c < CHAINS; c++)
            got[c] = out[c * threads + t];
//: used by all but special
        right += Is_right(t, steps, got);
//: used by special
        right += Is_right(which, got);
//: used by all
    }

//: used by all but f16
    double results = (double)threads * CHAINS * steps;
//: used by f16
    double results = 2.0 * threads * CHAINS * steps;   /* two halves in a register */
//: used by special
    printf("%s: ", functions[which].name);
//: used by all
    printf("%.0f results in %lld clocks: %.1f a clock, on one SM; %d of %d threads are right\n",
           results, to - from, results / (double)(to - from), right, threads);
    CHECK(cudaFree(out_d));
    CHECK(cudaFree(clocks_d));
    free(out);
    return right == threads ? 0 : EXIT_FAILURE;
}
