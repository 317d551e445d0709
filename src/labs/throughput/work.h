/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One kind of arithmetic by a whole block, run as a kernel of kernels/throughput.cu: its results
 * held against plain C, its instructions counted, on a GPU its clocks.
 */
#ifndef LABS_THROUGHPUT_WORK_H
#define LABS_THROUGHPUT_WORK_H

#include "labkit/ladder.h"
#include "labs/throughput/rates.h"

enum {
    PACE_KIND = 7,     /* of a variant's tag: an enum rate_kind */
    PACE_PROMOTED = 8, /* float, with a double slipped in */
    PACE_CHAINS = 4, PACE_UNROLL = 8, PACE_KINDS = 48
};

struct pace_kind { char name[32]; unsigned count; };

struct pace {
    const struct lab_variant *variant;
    const char *function; /* of the special ones */
    unsigned threads, steps;
    bool trace, quiet;
    /* What came of it: */
    uint64_t results;
    bool right;
    int64_t clocks; /* first start to last end; -1: this device's clock tells no time */
    struct launch_result result;
    struct pace_kind kinds[PACE_KINDS]; /* the instructions of one turn of the loop */
    unsigned kind_count;
};

int pace_run(struct pace *, struct session *, struct report *); /* free the result, also after -1 */
/* What a turn of the loop is made of, found by tracing two short runs. */
int pace_look_inside(struct pace *, struct session *, struct report *);
/* The table's rate for it, and the clocks that one SM needs at least; 0: the table doesn't say. */
int pace_rate(const struct pace *, const struct device_props *);
uint64_t pace_least_clocks(const struct pace *, const struct device_props *);

#endif
