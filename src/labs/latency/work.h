/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pointer chase through one level of memory: a ring of places, each of which holds the
 * address of the next one, walked by one thread of a kernel of kernels/latency.cu and by plain C.
 */
#ifndef LABS_LATENCY_WORK_H
#define LABS_LATENCY_WORK_H

#include "labkit/ladder/ladder.h"
#include "screen/facts.h"

enum chase_level {
    CHASE_REGISTER, CHASE_SHARED, CHASE_L1, CHASE_L2, CHASE_GLOBAL, CHASE_CONSTANT,
    CHASE_CONSTANT_MISS, CHASE_LEVELS
};

struct chase {
    /* What to do; 0: the usual. */
    const struct lab_variant *variant; /* its tag is the level */
    uint64_t bytes, stride, steps;
    bool forward; /* from each place to the next one in memory; else by chance */
    uint64_t seed;
    bool trace, quiet;
    /* Its result: */
    uint64_t places, warm;     /* warm: steps before the clock starts */
    uint64_t loads, predicted; /* how many loads of this level the counters have */
    bool has_loads, right;
    int64_t cycles;            /* by the device's clock; -1: it has no clock that keeps time */
    struct launch_result result;
    /* What the screens say of it: */
    const char *name, *ring_note, *clock_note;
    bool shows_cycles;
    double cycles_per_step;
    const char *textbook, *slides, *v100, *t4; /* cycles, as others have them */
    struct verdict verdict;
};

/* Replace each 0 by its usual value. -1: such a ring is impossible; the report says why. */
int chase_choose(struct chase *, struct session *, struct report *);
/* The caller frees the result, also after -1. */
int chase_run(struct chase *, struct session *, struct report *);

#endif
