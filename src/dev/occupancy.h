/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Occupancy: how many blocks of a launch one multiprocessor holds at once. Threads, places for
 * blocks, registers and shared memory each allow so many, in the pieces in which they are handed
 * out (dev/cards.h); the least of them is the answer, and that limit binds. The result
 * is what NVIDIA's driver says; tests/unit/occupancy.c compares them.
 */
#ifndef DEV_OCCUPANCY_H
#define DEV_OCCUPANCY_H

#include "dev/cards.h"

#include <stdbool.h>
#include <stdint.h>

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

#endif
