/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of measured numbers. An interval for a median must hold as often as it says, whatever the
 * numbers are distributed like: samples are drawn from distributions whose median is known, and it is
 * counted how often the interval has it. And a comparison of a thing with itself must find nothing,
 * also where the times depend on where the memory lies, on who goes first, and on when it is.
 */
#include "base/sample.h"

#include "base/philox.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRIES = 4000, MOST = 600 };

static unsigned tests, failures;
static uint32_t drawn;

static void ok(bool good, const char *name)
{
    tests++;
    failures += !good;
    printf("%sok %u - %s\n", good ? "" : "not ", tests, name);
}

static double unit(void) /* from 0 up to 1 */
{
    const uint32_t key[2] = {7, 0}, counter[4] = {drawn++};
    uint32_t four[4];
    philox(key, counter, four);
    return (double)four[0] / 4294967296.0;
}

/* ---- distributions whose median is known ---------------------------------------------------- */

static double even(void)
{
    return unit() * 2; /* 1 */
}

static double lumpy(void) /* nearly all the same, some far above: 1 */
{
    const double u = unit();
    return u < 0.45 ? 0.99 : u < 0.55 ? 0.95 + (u - 0.45) : u < 0.9 ? 1.01 + u / 100 : 5 + 100 * u;
}

static double long_tail(void) /* 1/u is above 2 in half of all cases: 1 */
{
    return 0.5 / (1 - unit());
}

static double ticks(void) /* a clock that has few values: 1 */
{
    return (double)(int)(unit() * 5) * 0.25 + 0.5;
}

static double held(double (*draw)(void), unsigned count, double confidence, double *says)
{
    double values[MOST];
    struct sample s;
    unsigned inside = 0;
    for (unsigned i = 0; i < TRIES; i++) {
        for (unsigned k = 0; k < count; k++)
            values[k] = draw();
        sample_of(values, count, confidence, &s);
        inside += s.lo <= 1 && 1 <= s.hi;
    }
    *says = s.confidence;
    return (double)inside / TRIES;
}

/* Four standard deviations of the share of TRIES draws are the room for chance. */
static void try_interval(const char *what, double (*draw)(void), bool exact)
{
    static const unsigned counts[] = {3, 8, 20, 51, 500};
    char name[100];
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (int k = 0; k < 2; k++) {
            const double wanted = k ? 0.999 : 0.95;
            double says;
            const double share = held(draw, counts[i], wanted, &says);
            const double room = 4 * 0.5 * __builtin_sqrt(says * (1 - says) * 4 / TRIES);
            snprintf(name, sizeof name, "%s, %u numbers: the interval holds in %.4f of %.4f", what,
                     counts[i], share, says);
            ok(share >= says - room && (!exact || share <= says + room) &&
                   (says >= wanted || counts[i] < 11), name);
        }
}

/* ---- chances as they are defined -------------------------------------------------------------- */

/* Of all 2^n ways in which n numbers lie above or below the median. */
static double confidence_of(unsigned n, unsigned k)
{
    unsigned inside = 0;
    for (uint32_t way = 0; way < 1u << n; way++) {
        const unsigned below = (unsigned)__builtin_popcount(way);
        inside += below >= k && below <= n - k;
    }
    return (double)inside / (double)(1u << n);
}

static void try_chances(void)
{
    bool right = true;
    for (unsigned n = 2; n <= 16; n++)
        for (int wanted = 50; wanted < 100; wanted++) {
            double says;
            const unsigned k = sample_interval(n, wanted / 100.0, &says);
            const double exact = confidence_of(n, k);
            right &= says > exact - 1e-12 && says < exact + 1e-12;
            /* The next narrower interval would not do. */
            right &= k == 1 || exact >= wanted / 100.0;
            right &= 2 * (k + 1) > n + 1 || confidence_of(n, k + 1) < wanted / 100.0;
        }
    ok(right, "the confidence is that of all ways together, and the interval as narrow as can be");
    double says;
    ok(sample_interval(1, 0.95, &says) == 1 && says == 0, "one number says nothing");
    ok(sample_interval(100000, 0.95, &says) > 49000 && says >= 0.95 && says < 0.951,
       "a hundred thousand numbers");
}

static void try_numbers(void)
{
    double values[] = {5, 1, 4, 2, 3}, two[] = {2, 1};
    struct sample s;
    sample_of(values, 5, 0.9, &s);
    ok(s.median == 3 && s.least == 1 && s.most == 5 && s.mean == 3 && s.lower == 2 && s.upper == 4,
       "five numbers");
    ok(s.lo == 1 && s.hi == 5 && s.confidence == 0.9375, "and their interval");
    sample_of(two, 2, 0.95, &s);
    ok(s.median == 1.5 && s.confidence == 0.5, "two numbers");
    ok(sample_step(values, 5) == 1 && sample_step(two, 1) == 0, "the smallest difference");
    double row[12], room[12];
    for (unsigned i = 0; i < 12; i++)
        row[i] = 1 + i / 8 * 0.5;
    ok(sample_drift(row, 12, room) == 0.5, "the last third against the first");
    ok(sample_drift(row, 8, room) == 0, "too few to tell");
}

/* ---- a thing against itself ---------------------------------------------------------------------- */

/* A run takes longer by where its arrays lie, if it is the second of its round, as time goes by, and
 * by chance. */
static void measure(const struct pairs *p, double *a, double *b, double faster)
{
    double place_a[MOST], place_b[MOST];
    for (unsigned g = 0; g < p->groups; g++) {
        place_a[g] = unit() < 0.5 ? 0.015 : 0;
        place_b[g] = unit() < 0.5 ? 0.015 : 0;
    }
    for (unsigned i = 0; i < p->count; i++) {
        const unsigned g = i / p->in_a_row % p->groups;
        const bool first = unit() < 0.5;
        const double now = 1 + 0.05 * i / p->count;
        a[i] = now * (1 + place_a[g] + (first ? 0 : 0.01) + 0.01 * unit());
        b[i] = now * (1 + place_b[g] + (first ? 0.01 : 0) + 0.01 * unit()) * faster;
    }
}

static void try_ratios(unsigned groups, unsigned in_a_row, double truth)
{
    double a[MOST], b[MOST], ratios[MOST], room[MOST];
    struct pairs p = {a, b, MOST, groups, in_a_row};
    struct sample s;
    unsigned inside = 0, tries = TRIES / 10, narrow = 0;
    char name[100];
    for (unsigned i = 0; i < tries; i++) {
        measure(&p, a, b, truth);
        const unsigned n = sample_ratios(&p, ratios, room);
        sample_of(ratios, n, 0.999, &s);
        inside += s.lo <= truth && truth <= s.hi && n == groups;
        narrow += s.hi - s.lo < 0.05 * truth;
    }
    snprintf(name, sizeof name, "%u groups, %u in a row: %g is in the interval in %u of %u", groups,
             in_a_row, truth, inside, tries);
    ok(inside >= tries * 0.99 && narrow == tries, name);
}

int main(void)
{
    try_chances();
    try_numbers();
    try_interval("even", even, true);
    try_interval("a long tail", long_tail, true);
    try_interval("lumpy", lumpy, false);
    try_interval("few values", ticks, false);
    for (int i = 0; i < 3; i++) {
        const double truth = i ? i == 1 ? 2 : 0.97 : 1;
        try_ratios(31, 1, truth);
        try_ratios(31, 4, truth);
        try_ratios(150, 1, truth);
    }
    printf("1..%u\n", tests);
    return failures != 0;
}
