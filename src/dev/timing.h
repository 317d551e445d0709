/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a device times launches. While it keeps launches, each becomes a part of a sequence. Then it
 * runs the whole sequence again and again, each time from the memory that its first launch found.
 * One run is one time: of all its launches together, from the begin of the first to the end of the
 * last. What the host stored between two launches is stored again in each run, but is not timed.
 */
#ifndef DEV_TIMING_H
#define DEV_TIMING_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum { TIMING_SEQUENCES = 2, TIMING_RUNS_MOST = 100000 };

/* What a command asks of the host between its begin and its end, in the order of a program. */
enum host_step {
    HOST_ALLOCATE,
    HOST_COPY_IN,
    HOST_LAUNCH,
    HOST_KERNELS,
    HOST_COPY_OUT,
    HOST_STEPS
};

struct timing_want {
    uint32_t sequences;   /* the first so many; the runs of two take turns: A B, B A, A B, ... */
    uint32_t least, most; /* runs of each */
    double seconds;       /* once these are over, no more than `least` */
    double warm_up;       /* seconds of runs before them, which are not timed */
    uint32_t places;      /* at least so many copies of the arrays, so that where they lie matters
                           * little */
    uint32_t warm;        /* each run finds in the cache what the run before it left there */
    uint32_t steps;       /* the steps of the host around the first sequence are timed too */
    uint32_t copy;        /* a copy within the card's memory is timed too, and the card looked at */
};

/* The clock of the multiprocessors in MHz, and what else uses the card; -1: not known. */
struct timing_card {
    int sm_mhz, sm_mhz_most, memory_mhz;
    int others;        /* other processes that compute on it */
    int64_t slowed_by; /* bits of enum timing_slowed */
};
enum timing_slowed {
    SLOWED_BY_POWER = 1,
    SLOWED_BY_HEAT = 2,
    SLOWED_BY_HARDWARE = 4,
    SLOWED_BY_SETTING = 8
};

struct timing_facts {
    uint32_t runs;
    struct timing_sequence {
        uint32_t launches;
        uint32_t copies;         /* of its arrays, which the runs use in turn */
        uint32_t runs_of_a_copy; /* one after the other, before the next copy */
        uint32_t graph;          /* launches that follow each other are queued as one */
        uint64_t array_bytes;    /* of the arrays that its launches are given, for each launch */
        uint64_t rotated_bytes;  /* of all copies together */
    } of[TIMING_SEQUENCES];
    uint64_t l2_bytes;
    uint32_t too_little_memory; /* for more copies, which would have exceeded the cache */
    double copy_s;              /* a copy of so many bytes; 0: not timed */
    uint64_t copy_bytes;
    struct timing_card before, after;
    struct timing_step { /* by the host's clock, each to its end */
        uint32_t count;  /* of arrays, copies or launches; 0: there is no such step */
        uint64_t bytes;
        double seconds; /* the median of some times; 0: not known */
    } steps[HOST_STEPS];
};

struct timing {
    struct timing_facts facts;
    double *seconds[TIMING_SEQUENCES]; /* facts.runs of each, in the order of the runs */
    struct arena memory;
};
void timing_free(struct timing *);

#endif
