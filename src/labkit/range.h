/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One launch under a range of seeds, random:1..20: each from the same bytes, the results compared,
 * so that "it worked" becomes "it worked in 13 of 20".
 */
#ifndef LABKIT_RANGE_H
#define LABKIT_RANGE_H

#include "labkit/run.h"
#include "labkit/ladder/schedule.h"

/* Runs with the same result: the same fault or none, the same bytes in all arrays, the same lines
 * printed. */
enum { RANGE_GROUPS = 8 };
struct range_group {
    uint64_t first, runs; /* the first seed with this result, and how many have it */
    uint64_t digest;
    bool ok;
    char fault[24];       /* empty: it worked */
    char difference[160]; /* the first difference to the first seed's arrays; empty: none */
};
struct range_result {
    struct schedule_range range;
    struct range_group groups[RANGE_GROUPS];
    unsigned group_count;
    uint64_t runs, worked, others; /* others: runs for whose group there was no room */
};

/* The report gets the first launch, and what the others found. Arrays hold what the last one left.
 * -1: the report says why; else the caller frees *first. */
int range_launch(struct session *, struct launch_want *, const struct schedule_range *,
                 struct launch_result *first, struct range_result *, struct report *);
void say_range(struct report *, const struct range_result *); /* also "range" in the result */

#endif
