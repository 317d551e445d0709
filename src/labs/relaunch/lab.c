/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * relaunch: so many additions of two vectors, by as many launches or by one that loops. Both
 * load and store the same; what is compared is what a launch costs beside.
 */
#include "labs/relaunch/work.h"
#include "labkit/lab.h"

static const struct lab_variant variants[] = {
    {"launches", "relaunch_once", "a launch for each addition", .tag = ONE_EACH},
    {"loop", "relaunch_loop", "one launch, each thread loops", .tag = LOOPS},
    {0},
};

static const struct arg_spec options[] = {
    {.name = "n", .value = "N", .type = ARG_INT, .lo = 1, .hi = 1 << 20, .initial = "1000",
     .help = "elements of each vector"},
    {.name = "iters", .value = "I", .type = ARG_INT, .lo = 1, .hi = RELAUNCH_MOST,
     .initial = "100", .help = "how often they are added"},
    {.name = "x", .type = ARG_LIST, .help = "the first vector, as in 1,2,3; else random numbers"},
    {.name = "y", .type = ARG_LIST, .help = "the second one"},
    {0},
};

static const struct lab lab = {
    .module = "relaunch",
    .takes = TAKES_VARIANT | TAKES_THREADS | TAKES_REPEAT | TAKES_TRACE | TAKES_CALLS |
             TAKES_COUNTERS | TAKES_SEED,
    .variants = variants,
};

static int run(struct session *s, const struct args *args, struct report *r)
{
    struct relaunching w;
    int failed = relaunching_open(&w, s, args, r);
    if (!failed) {
        const struct old_ladder ladder = relaunching_ladder(&w, variants);
        failed = old_ladder_run(&ladder);
    }
    relaunching_close(&w);
    return failed;
}

const struct command lab_relaunch = {
    .name = "relaunch",
    .kind = CLASS_LAB,
    .summary = "many launches, or one that loops",
    .options = options,
    .lab = &lab,
    .run = run,
};
