/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timing: the same work by four clocks. The kernel runs and is checked in work.c. What each clock
 * holds follows from what comes before what, in clocks.c. Only a GPU has seconds.
 */
#include "labs/timing/clocks.h"
#include "labs/timing/work.h"
#include "labkit/lab.h"

enum { MOST_N = 1 << 22, MOST_ROUNDS = 1 << 20, MOST_WORK = 1 << 30 };

static const struct lab_variant variants[] = {
    {"events", "work", "marks in the stream, by the device's clock", .tag = 0},
    {"wall-sync", "work", "a clock on the wall, stopped after waiting", .tag = 0},
    {"wall", "work", "the same, stopped when the launch returns", "wall-sync", NULL, 0},
    {"clock", "work", "clock(): processor time, which is no time on the wall", "wall-sync", NULL,
     0},
    {0},
};

static const struct arg_spec options[] = {
    {OPTION(struct timing_options, n), .type = ARG_INT, .lo = 1, .hi = MOST_N, .initial = "1024",
     .help = "threads that work"},
    {OPTION(struct timing_options, rounds), .value = "R", .type = ARG_INT, .lo = 1,
     .hi = MOST_ROUNDS, .initial = "200", .help = "how often each goes round: the time it takes"},
    {0},
};

static const struct lab lab = {
    .module = "timing",
    .takes = TAKES_VARIANT | TAKES_THREADS | TAKES_TRACE | TAKES_CALLS | TAKES_COUNTERS,
    .variants = variants,
};

/* Without --variant all clocks are shown, for comparison. */
static int run(struct session *s, const void *given, struct report *r)
{
    const struct timing_options *o = given;
    struct timed w = {.session = s, .report = r, .options = o, .variants = variants,
                      .threads = o->lab.threads_given ? (unsigned)o->lab.threads : 256};
    const struct lab_variant *one = NULL;
    if ((int64_t)o->n * o->rounds > MOST_WORK)
        return report_fail(r, "%d threads of %d rounds are more than the host's loop checks in a "
                              "few seconds; for n = %d at most --rounds %d",
                           o->n, o->rounds, o->n, MOST_WORK / o->n);
    w.blocks = ((unsigned)o->n + w.threads - 1) / w.threads;
    if (o->lab.variant_given)
        one = lab_variant_named(&lab, o->lab.variant); /* NULL for all */
    return o->lab.calls ? timed_calls(&w, one) : timed_run(&w, one);
}

const struct command lab_timing = {
    .name = "timing",
    .kind = CLASS_LAB,
    .summary = "the same work by four clocks, and why they differ",
    .options = options,
    .size = sizeof(struct timing_options),
    .lab = &lab,
    .run = run,
};
