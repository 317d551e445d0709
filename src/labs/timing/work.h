/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work of the lab `timing`: a kernel that takes a while, run and checked, and what four clocks
 * around it include.
 */
#ifndef LABS_TIMING_WORK_H
#define LABS_TIMING_WORK_H

#include "command/variants.h"
#include "labkit/ladder/ladder.h"

struct timing_options {
    struct lab_options lab;
    int n, rounds;
};

struct timed {
    struct session *session;
    struct report *report;
    const struct timing_options *options;
    const struct lab_variant *variants;
    unsigned blocks, threads;
    struct launch_result result;
};

/* Show one clock, or all with NULL. -1: the report says why, also for a clock that is wrong on
 * purpose. */
int timed_run(struct timed *, const struct lab_variant *one);
int timed_calls(struct timed *, const struct lab_variant *one); /* --calls */

#endif
