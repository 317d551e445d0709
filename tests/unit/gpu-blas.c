/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is asked of cuBLAS, and what is said of its answers: a library of this file's own stands
 * in for it, with as many elements as no test has memory for.
 */
#include "dev/gpu/blas.h"

#include <stdio.h>
#include <string.h>

static int tests;
static struct { int n, answer, calls; } dot;

static void check(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
}

static int sdot(void *handle, int n, const float *x, int step_x, const float *y, int step_y,
                float *result)
{
    (void)handle, (void)x, (void)step_x, (void)y, (void)step_y, (void)result;
    dot.n = n;
    dot.calls++;
    return dot.answer;
}

int main(void)
{
    const struct blas b = {.cublasSdot_v2 = sdot};
    struct dot_job d = {.n = 2147483647};
    struct err e = {0};
    check(blas_dot(&b, &d, &e) == 0 && dot.n == 2147483647, "as many as an int counts");
    d.n++;
    check(blas_dot(&b, &d, &e) == -1 && dot.calls == 1, "one more is not asked for");
    check(strstr(e.text, "up to 2147483647, and here are 2147483648") != NULL, "it says why");
    d.n = UINT64_C(1) << 32;
    check(blas_dot(&b, &d, &e) == -1 && dot.calls == 1, "nor what would be 0 of them");

    d.n = 1;
    for (dot.answer = 1; dot.answer < 100; dot.answer++) {
        e.text[0] = '\0';
        if (blas_dot(&b, &d, &e) != -1 || strncmp(e.text, "cublasSdot of cuBLAS failed: ", 29) != 0)
            break;
    }
    check(dot.answer == 100, "each status but 0 is told");
    dot.answer = BLAS_ARCH_MISMATCH;
    blas_dot(&b, &d, &e);
    check(strstr(e.text, "CUBLAS_STATUS_ARCH_MISMATCH, it has no code") != NULL, "by its name");
    dot.answer = 99;
    blas_dot(&b, &d, &e);
    check(strstr(e.text, ": status 99") != NULL, "or its number");
    printf("1..%d\n", tests);
    return 0;
}
