/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work in parts: any number of threads leaves the same bytes, takes the parts in their order, ends
 * at the first part that failed, and ends when it is told to. Then rows of random words against
 * words one by one. tests/parts.t runs this with ThreadSanitizer too.
 */
#include "base/parts.h"
#include "base/philox.h"
#include "base/threads.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PARTS = 500, FLOATS = 300, NEVER = -1 };

static int tests_run, tests_failed;

static void ok(bool good, const char *what, unsigned threads)
{
    printf("%sok %d - %u threads: %s\n", good ? "" : "not ", ++tests_run, threads, what);
    tests_failed += !good;
}

/* ---- parts that are added up -------------------------------------------------------------- */

struct adding {
    int fails[2];          /* these can't be made; NEVER: all can */
    int refused;           /* this one can't be taken */
    int stops;             /* so many parts are done when it is told to end */
    int asked;
    uint64_t taken;        /* so many, in order */
    bool disorder;
    float sum;             /* depends on the order */
    double last_part;      /* of the progress */
    bool went_back;
};

static int make(void *self, uint64_t part, void *made, struct err *e)
{
    const struct adding *a = self;
    float *to = made;
    for (int i = 0; i < 2; i++)
        if (a->fails[i] >= 0 && part == (uint64_t)a->fails[i])
            return fail(e, "part %d can't be made", a->fails[i]);
    uint32_t low[FLOATS], high[FLOATS];
    philox_row((const uint32_t[2]){7, 0}, part * FLOATS, FLOATS, low, high);
    for (int i = 0; i < FLOATS; i++)
        to[i] = (float)(low[i] >> 8) * 0x1p-20f;
    return 0;
}

static int take(void *self, uint64_t part, const void *made, struct err *e)
{
    struct adding *a = self;
    const float *from = made;
    a->disorder |= part != a->taken++;
    if (a->refused >= 0 && part == (uint64_t)a->refused)
        return fail(e, "part %d can't be taken", a->refused);
    for (int i = 0; i < FLOATS; i++)
        a->sum += from[i];
    return 0;
}

static int ask(void *self, struct err *e)
{
    struct adding *a = self;
    a->asked++;
    return a->stops >= 0 && a->taken >= (uint64_t)a->stops ? fail(e, "told to end") : 0;
}

static void see(void *self, double part)
{
    struct adding *a = self;
    a->went_back |= part < a->last_part;
    a->last_part = part;
}

static int add(struct adding *a, unsigned threads, uint64_t count, struct err *e)
{
    const struct go_on go_on = {ask, a};
    const struct progress progress = {see, a};
    *e = (struct err){0};
    return parts_do(&(struct parts){.count = count, .bytes = FLOATS * sizeof(float),
                                    .threads = threads, .self = a, .make = make, .take = take,
                                    .go_on = &go_on, .progress = &progress}, e);
}

#define NOTHING_WRONG .fails = {NEVER, NEVER}, .refused = NEVER, .stops = NEVER

static bool same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void try_threads(unsigned threads, float right)
{
    struct err e;
    struct adding a = {NOTHING_WRONG};
    int failed = add(&a, threads, PARTS, &e);
    ok(failed == 0 && same(a.sum, right) && a.taken == PARTS, "the sum has the same bits", threads);
    ok(!a.disorder && !a.went_back && a.last_part == 1 && a.asked >= PARTS,
       "in order, with progress, and a question before each part", threads);

    a = (struct adding){NOTHING_WRONG};
    a.fails[0] = 321, a.fails[1] = 300;
    failed = add(&a, threads, PARTS, &e);
    ok(failed == -1 && strcmp(e.text, "part 300 can't be made") == 0 && a.taken == 300 &&
           !a.disorder, "of two parts that fail the first one says why", threads);

    a = (struct adding){NOTHING_WRONG};
    a.fails[0] = 0;
    failed = add(&a, threads, PARTS, &e);
    ok(failed == -1 && strcmp(e.text, "part 0 can't be made") == 0 && !a.taken,
       "the first part fails", threads);

    a = (struct adding){NOTHING_WRONG};
    a.refused = 77;
    failed = add(&a, threads, PARTS, &e);
    ok(failed == -1 && strcmp(e.text, "part 77 can't be taken") == 0 && a.taken == 78,
       "a part that can't be taken ends it", threads);

    a = (struct adding){NOTHING_WRONG};
    a.stops = 40;
    failed = add(&a, threads, PARTS, &e);
    ok(failed == -1 && strcmp(e.text, "told to end") == 0 && a.taken == 40, "it can be stopped",
       threads);

    for (uint64_t count = 0; count < 4; count++) {
        a = (struct adding){NOTHING_WRONG};
        failed = add(&a, threads, count, &e);
        ok(failed == 0 && a.taken == count, "few parts or none", threads);
    }
}

/* ---- parts that are only made ------------------------------------------------------------- */

static int mark(void *self, uint64_t part, void *made, struct err *e)
{
    (void)made, (void)e;
    ((unsigned char *)self)[part]++;
    return 0;
}

static void try_marks(unsigned threads)
{
    unsigned char marks[PARTS] = {0}, once[PARTS];
    struct err e;
    memset(once, 1, sizeof once);
    int failed = parts_do(&(struct parts){.count = PARTS, .threads = threads, .self = marks,
                                          .make = mark}, &e);
    ok(failed == 0 && memcmp(marks, once, sizeof once) == 0, "each part is made once", threads);
}

/* ---- threads ------------------------------------------------------------------------------ */

static void count_up(void *counts, unsigned number)
{
    ((unsigned *)counts)[number]++;
}

static void try_team(unsigned most)
{
    struct threads *threads = NULL;
    unsigned counts[16] = {0}, wanted[16] = {0};
    const bool ready = threads_ready(&threads, &allocator_libc, most - 1);
    for (unsigned n = 1; ready && n <= most; n++) {
        threads_do(threads, n, count_up, counts);
        for (unsigned i = 0; i < n; i++)
            wanted[i]++;
    }
    threads_close(&threads, &allocator_libc);
    ok(memcmp(counts, wanted, sizeof counts) == 0 && !threads, "some of them, again and again",
       most);
}

/* ---- random words ------------------------------------------------------------------------- */

static void try_row(uint64_t first, unsigned n)
{
    const uint32_t key[2] = {12345, 678};
    uint32_t low[101] = {0}, high[101] = {0}, word[4];
    bool good = true;
    philox_row(key, first, n, low, high);
    for (unsigned i = 0; i < n; i++) {
        const uint64_t at = first + i;
        philox(key, (const uint32_t[4]){(uint32_t)at, (uint32_t)(at >> 32)}, word);
        good &= low[i] == word[0] && high[i] == word[1];
    }
    ok(good && low[n] == 0 && high[n] == 0, "a row of random words is that of one by one", n);
}

int main(void)
{
    static const unsigned threads[] = {1, 2, 7, 100, 0};
    struct adding right = {NOTHING_WRONG};
    struct err e;
    add(&right, 1, PARTS, &e);
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        try_threads(threads[i], right.sum);
        try_marks(threads[i]);
    }
    for (unsigned n = 1; n <= 16; n += 5)
        try_team(n);
    for (unsigned n = 0; n <= 100; n += n < 40 ? 1 : 20) {
        try_row(0, n);
        try_row(UINT32_MAX - 20, n);
    }
    printf("1..%d\n", tests_run);
    return tests_failed != 0;
}
