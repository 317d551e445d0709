/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict on a float sum is one rule for all labs: right, rounded away or wrong. Here are sums
 * that a chain of float additions may leave, and what the rule makes of them. A variant that is
 * wrong on purpose is never excused by rounding.
 */
#include "base/rounding.h"
#include "labkit/ladder/ladder.h"
#include "labkit/lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int tests_run, tests_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
    tests_failed += !good;
}

/* The same in all labs: a right variant that was rounded away is no failure, a wrong one is. */
static void expect(const char *what, double off, double bound, double magnitude,
                   enum sum_verdict verdict)
{
    const struct lab_variant right = {"right", "k", "", .tag = 0};
    const struct lab_variant wrong = {"wrong", "k", "", "right", "race", 0};
    struct attempt got = {0}, bad = {0};
    attempt_sum(&got, &right, off, bound, magnitude);
    attempt_sum(&bad, &wrong, off, bound, magnitude);
    bool good = sum_verdict(off, bound, magnitude) == verdict &&
                sum_verdict(-off, bound, magnitude) == verdict &&
                got.right == (verdict != SUM_WRONG) &&
                got.rounded_away == (verdict == SUM_ROUNDED_AWAY) &&
                bad.right == (verdict == SUM_RIGHT) && !bad.rounded_away;
    ok(good, what);
}

/* A chain of n additions of `term` in float, and the verdict on it. */
static void chain(const char *what, double n, float term, float sum, enum sum_verdict verdict)
{
    const double exact = n * (double)term, magnitude = fabs(exact);
    expect(what, (double)sum - exact, rounding_bound(n, magnitude), magnitude, verdict);
}

static float added(unsigned n, float term)
{
    float sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += term;
    return sum;
}

int main(void)
{
    /* Sums that a kernel with one atomic operation for each term leaves, at n = 2^28. */
    expect("an area of 6 where 24 is right, in 2^28 additions", 18, rounding_bound(0x1p28, 24), 24,
           SUM_ROUNDED_AWAY);
    chain("2^28 ones, counted to 2^24", 0x1p28, 1, 0x1p24f, SUM_ROUNDED_AWAY);
    chain("2^28 ones, of which warps added 32 at a time", 0x1p28, 1, 0x1p28f, SUM_RIGHT);
    chain("2^28 ones, twice as many as there are", 0x1p28, 1, 0x1p29f, SUM_ROUNDED_AWAY);
    chain("2^28 ones, seventeen times as many", 0x1p28, 1, 0x1p32f + 0x1p29f, SUM_WRONG);

    /* Sums that this host adds. */
    chain("2^20 ones", 0x1p20, 1, added(1 << 20, 1), SUM_RIGHT);
    chain("2^24 ones", 0x1p24, 1, added(1 << 24, 1), SUM_RIGHT);
    chain("a thousandth too many ones", 16793600, 1, added(16793600, 1), SUM_RIGHT);
    chain("2^25 ones", 0x1p25, 1, added(1 << 25, 1), SUM_ROUNDED_AWAY);
    chain("1000 tenths", 1000, 0.1f, added(1000, 0.1f), SUM_RIGHT);
    chain("2^25 tenths", 0x1p25, 0.1f, added(1 << 25, 0.1f), SUM_ROUNDED_AWAY);
    chain("1000 ones, of which one is lost", 1000, 1, 999, SUM_WRONG);
    chain("2^20 ones, of which a tenth is lost", 0x1p20, 1, 943718, SUM_WRONG);

    /* The edges, and what is no number. */
    expect("nothing off", 0, 0, 0, SUM_RIGHT);
    expect("at the bound", 1e-4, 1e-4, 1, SUM_RIGHT);
    expect("beyond the bound, though little", 1.1e-4, 1e-4, 1, SUM_WRONG);
    expect("a thousandth off, within the bound", 1e-3, 1, 1, SUM_RIGHT);
    expect("more than a thousandth off, within the bound", 1.1e-3, 1, 1, SUM_ROUNDED_AWAY);
    expect("no number", NAN, 1, 1, SUM_WRONG);
    expect("infinite", INFINITY, 1, 1, SUM_WRONG);
    ok(strcmp(sum_verdict_says(SUM_RIGHT), "right") == 0 &&
           strcmp(sum_verdict_says(SUM_ROUNDED_AWAY), "rounded away") == 0 &&
           strcmp(sum_verdict_says(SUM_WRONG), "WRONG") == 0, "the words");
    printf("1..%d\n", tests_run);
    return tests_failed != 0;
}
