/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of atomics.cu's programs (source/code-host.h): operands, and the search for an
 * order of the threads that explains what each of them found.
 */

//: used by atomic cas-loop plain
#include <string.h>

typedef int Number;

/* What each operation makes of the number it finds, in plain C. */
static int Made(const char *op, int found, int by)
{
    unsigned x = (unsigned)found, v = (unsigned)by;

    if (strcmp(op, "add") == 0)
        return (int)(x + v);
    if (strcmp(op, "sub") == 0)
        return (int)(x - v);
    if (strcmp(op, "min") == 0)
        return found < by ? found : by;
    if (strcmp(op, "max") == 0)
        return found > by ? found : by;
    if (strcmp(op, "and") == 0)
        return found & by;
    if (strcmp(op, "or") == 0)
        return found | by;
    if (strcmp(op, "xor") == 0)
        return found ^ by;
    if (strcmp(op, "exch") == 0)
        return by;
    if (strcmp(op, "cas") == 0)
        return found == 0 ? by : found;
    if (strcmp(op, "inc") == 0)
        return x >= v ? 0 : (int)(x + 1);
    return x == 0 || x > v ? by : (int)(x - 1);   /* dec */
}

/* Thread t's operand, as suits the operation. */
static int Operand(const char *op, int t)
{
    if (strcmp(op, "min") == 0 || strcmp(op, "max") == 0)
        return (t + 3) * 37 % 101;
    if (strcmp(op, "and") == 0)
        return 255 & ~(1 << t % 8);
    if (strcmp(op, "or") == 0 || strcmp(op, "xor") == 0)
        return 1 << t % 8;
    if (strcmp(op, "exch") == 0 || strcmp(op, "cas") == 0)
        return t + 1;
    return strcmp(op, "inc") == 0 || strcmp(op, "dec") == 0 ? 5 : 1;
}

/* What x is at first. */
static int Start(const char *op, int threads)
{
    if (strcmp(op, "sub") == 0)
        return threads;
    if (strcmp(op, "min") == 0)
        return 100;
    return strcmp(op, "and") == 0 ? 255 : strcmp(op, "dec") == 0 ? 5 : 0;
}
//: used by f64 f64-cas
typedef double Number;

/* What an addition makes of the number it finds. */
static double Made(const char *, double found, double by)
{
    return found + by;
}
//: used by all

/*
 * Is there an order of the threads, one after the other, in which each finds what it found and x
 * is `left` in the end?  Each thread is an arrow from what it found to what it made of that; such
 * an order is a path over all arrows, found as Hierholzer did: go on as long as you can, step back
 * where you can't, and who is stepped back over goes last.
 */
static bool In_turn(const char *op, Number start, Number left, const Number *in, const Number *old,
                    int threads)
{
    enum { MOST = 1024 };
    static Number at[MOST + 1];
    static int by[MOST + 1], order[MOST];
    static bool used[MOST];
    int high = 0, first = threads;

    at[0] = start;
    while (high >= 0) {
        int t = 0;
        while (t < threads && (used[t] || old[t] != at[high]))
            t++;
        if (t < threads) {
            used[t] = true;
            high++;
            at[high] = Made(op, old[t], in[t]);
            by[high] = t;
        } else {
            if (high > 0)
                order[--first] = by[high];
            high--;
        }
    }
    Number x = start;
    for (int i = first; i < threads; i++) {
        if (old[order[i]] != x)
            return false;
        x = Made(op, x, in[order[i]]);
    }
    return first == 0 && x == left;
}

//: used by atomic cas-loop plain
/* Arguments: threads, operation. */
//: used by f64 f64-cas
/* Argument: threads. */
//: used by all
int main(int argc, char *argv[])
{
//: used by atomic
    static const struct operation {
        const char *name;
        void (*kernel)(int *x, const int *in, int *old);
    } all[] = {
        {"add", atomics_add}, {"sub", atomics_sub}, {"min", atomics_min}, {"max", atomics_max},
        {"and", atomics_and}, {"or", atomics_or}, {"xor", atomics_xor},
        {"exch", atomics_exch}, {"cas", atomics_cas}, {"inc", atomics_inc}, {"dec", atomics_dec},
    };
    const int operations = sizeof all / sizeof all[0];
//: used by cas-loop plain
    static const char *const all[] = {"add", "sub", "min", "max", "and", "or",
                                      "xor", "exch", "cas", "inc", "dec"};
    const int operations = sizeof all / sizeof all[0];   /* in the order of the kernel's */
//: used by all
    int threads = (int)Argument(argc, argv, 1, 8);
//: used by f64 f64-cas
    const char *op = "add";
//: used by atomic cas-loop plain
    const char *op = argc > 2 ? argv[2] : "add";
    int which = 0;

//: used by atomic
    while (which < operations && strcmp(op, all[which].name) != 0)
//: used by cas-loop plain
    while (which < operations && strcmp(op, all[which]) != 0)
//: used by atomic cas-loop plain
        which++;
    if (which == operations) {
        fprintf(stderr, "add sub min max and or xor exch cas inc dec: %s is none of them\n", op);
        return EXIT_FAILURE;
    }
//: used by all
    if (threads < 1 || threads > 1024) {
        fprintf(stderr, "a block has 1 to 1024 threads\n");
        return EXIT_FAILURE;
    }
//: used by atomic cas-loop plain
    Number start = Start(op, threads), left;
//: used by f64 f64-cas
    Number start = 0.0, left;
//: used by all
    size_t bytes = threads * sizeof(Number);
    Number *in = (Number *)Allocate(bytes), *old = (Number *)Allocate(bytes);
    Number *x_d, *in_d, *old_d;
    CHECK(cudaMalloc(&x_d, sizeof *x_d));
    CHECK(cudaMalloc(&in_d, bytes));
    CHECK(cudaMalloc(&old_d, bytes));
//: used by cas-loop f64-cas
    int *tries = (int *)Allocate(threads * sizeof(int)), *tries_d;
    CHECK(cudaMalloc(&tries_d, threads * sizeof(int)));
//: used by all
    for (int t = 0; t < threads; t++)
//: used by atomic cas-loop plain
        in[t] = Operand(op, t);
//: used by f64 f64-cas
        in[t] = 1.0;
//: used by all
    CHECK(cudaMemcpy(x_d, &start, sizeof start, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(in_d, in, bytes, cudaMemcpyHostToDevice));

//: used by atomic
    all[which].kernel<<<1, threads>>>(x_d, in_d, old_d);
//: used by f64
    KERNEL<<<1, threads>>>(x_d, in_d, old_d);
//: used by cas-loop
    KERNEL<<<1, threads>>>(x_d, in_d, old_d, tries_d, which);
//: used by f64-cas
    KERNEL<<<1, threads>>>(x_d, in_d, old_d, tries_d);
//: used by plain
    KERNEL<<<1, threads>>>(x_d, in_d, old_d, which);   /* WRONG: no atomic */
//: used by all
    CHECK(cudaGetLastError());   /* was it a block that can be? */

    /* The copies wait for the kernel. */
    CHECK(cudaMemcpy(&left, x_d, sizeof left, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(old, old_d, bytes, cudaMemcpyDeviceToHost));
//: used by cas-loop f64-cas
    CHECK(cudaMemcpy(tries, tries_d, threads * sizeof(int), cudaMemcpyDeviceToHost));
//: used by all
    bool right = In_turn(op, start, left, in, old, threads);
    for (int t = 0; t < threads; t++)
//: used by atomic plain
        printf("thread %d found %d, operand %d\n", t, old[t], in[t]);
//: used by f64
        printf("thread %d found %g, operand %g\n", t, old[t], in[t]);
//: used by cas-loop
        printf("thread %d found %d, operand %d, tries %d\n", t, old[t], in[t], tries[t]);
//: used by f64-cas
        printf("thread %d found %g, operand %g, tries %d\n", t, old[t], in[t], tries[t]);
//: used by atomic cas-loop plain
    printf("%d threads, %s: x = %d, ", threads, op, left);
//: used by f64 f64-cas
    printf("%d threads, %s: x = %.15g, ", threads, op, left);
//: used by all
    printf("%s\n", right ? "as if they had gone one after the other: right"
                         : "which no order of them explains: WRONG");
    CHECK(cudaFree(x_d));
    CHECK(cudaFree(in_d));
    CHECK(cudaFree(old_d));
    free(in);
    free(old);
//: used by cas-loop f64-cas
    CHECK(cudaFree(tries_d));
    free(tries);
//: used by all
    return right ? 0 : EXIT_FAILURE;
}
