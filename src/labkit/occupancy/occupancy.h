/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Occupancy: how many blocks of a launch one multiprocessor holds at once. Threads, places for
 * blocks, registers and shared memory each allow so many, in the pieces in which they are handed
 * out (dev/cards.h); the least of them is the answer, and that limit binds. The result
 * is what NVIDIA's driver says; tests/unit/occupancy.c compares them.
 */
#ifndef LABKIT_OCCUPANCY_H
#define LABKIT_OCCUPANCY_H

#include "dev/device.h"
#include "screen/facts.h"

enum occupancy_limit {
    LIMIT_THREADS, /* threads, and so warps, that an SM has room for */
    LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED, LIMITS
};

struct occupancy_want {
    int threads;
    int registers; /* a thread; 0: not known, so they don't count */
    uint64_t shared; /* bytes a block, static and dynamic */
};

struct occupancy {
    int blocks, warps, most_warps; /* an SM's; blocks 0: such a launch is refused */
    int warps_per_block;
    bool counted[LIMITS];  /* it is known, so it can bind */
    int64_t allows[LIMITS]; /* blocks on an SM, by each limit alone */
    unsigned binds;        /* bit (1 << limit) of those that allow the fewest */
    int64_t registers_given; /* to a warp; before 2.0 to a block */
    uint64_t shared_given;   /* to a block, with what the system keeps for itself */
};

struct occupancy occupancy_of(const struct device_props *, const struct occupancy_want *);
/* With more registers a thread, fewer blocks fit than by the other limits. 0: there is no such
 * number. */
int occupancy_most_registers(const struct device_props *, const struct occupancy_want *);

/* ---- on the screen and in JSON ---------------------------------------------------------- */

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
