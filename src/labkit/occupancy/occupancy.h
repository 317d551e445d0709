/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Occupancy (dev/occupancy.h) on the screen and in JSON, and as an exercise.
 */
#ifndef LABKIT_OCCUPANCY_H
#define LABKIT_OCCUPANCY_H

#include "dev/occupancy.h"
#include "screen/facts.h"

/* "threads and registers": the limits that bind. */
const char *occupancy_binds_text(const struct occupancy *, char out[80]);
/* Which explanation fits: "full", "registers", "refused", ... */
const char *occupancy_case(const struct occupancy *);

/* All that is said of it, by occupancy_facts. */
struct occupancy_told {
    struct device_props card;
    struct occupancy_want want;
    struct occupancy is;
    double part;      /* of the warps that an SM has room for */
    int free, left;   /* warps without a place; the same before others come in */
    int fit, others;  /* registers that cost nothing; blocks, if registers didn't count */
    int fills;        /* threads a block that fill all places for blocks */
    uint64_t most_shared;
};
extern const struct fact occupancy_facts[];
struct occupancy_told occupancy_tell(const struct device_props *, const struct occupancy_want *);

void say_occupancy(struct report *, const struct occupancy_told *);
void say_occupancy_by_threads(struct report *, const struct occupancy_told *);

/* What a lecture said of the G80, as an exercise: four questions, and, with guesses (a list as
 * in "8,2,4096,300"), what is right. -1: the guesses can't be read. */
int occupancy_exercise(struct report *, const char *guesses);

#endif
