/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One launch under a range of seeds, random:1..20: each from the same bytes, the results compared,
 * so that "it worked" becomes "it worked in 13 of 20".
 */
#ifndef LABKIT_RANGE_H
#define LABKIT_RANGE_H

#include "labkit/run.h"
#include "labkit/schedule.h"

/* What came of them, alike: the same fault or none, the same bytes in all arrays, the same lines
 * printed. */
enum { RANGE_GROUPS = 8 };
struct range_group {
    uint64_t first, runs; /* the seed that was first to lead here, and how many did */
    uint64_t digest;
    bool ok;
    char fault[24];       /* empty: it worked */
    char difference[120]; /* from the first seed's results, in an array; empty: none */
};
struct range_result {
    struct schedule_range range;
    struct range_group groups[RANGE_GROUPS];
    unsigned group_count;
    uint64_t runs, worked, others; /* in groups that there was no room for */
};

/* The first one is told to the report as a launch is; of the others what they found. Arrays hold
 * what the last one left. -1: the report says why; else free *first. */
int range_launch(struct session *, struct launch_want *, const struct schedule_range *,
                 struct launch_result *first, struct range_result *, struct report *);
void say_range(struct report *, const struct range_result *); /* also "range" in the result */

#endif
