/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One kernel of kernels/diverge.cu run once, its results held against plain C, and what plain C
 * says of its warps: how many have lanes on several sides, and how full their steps are there.
 */
#ifndef LABS_DIVERGE_WORK_H
#define LABS_DIVERGE_WORK_H

#include "labkit/ladder/ladder.h"

enum { DIVERGE_LANES = 32, DIVERGE_WAYS = 8 };

/* What decides which way a thread goes. */
enum diverge_kind {
    BY_NUMBER, BY_ELEMENT, BY_SELECT, IN_LOOP, IN_SWITCH, BY_RETURN, AT_MEETING
};

struct diverge_plan {
    enum diverge_kind kind;
    unsigned n, threads, blocks;
    unsigned group;    /* neighbouring threads on the same side */
    unsigned ways;     /* of the switch */
    unsigned rounds;   /* of the loop: the most; after the return: each */
    unsigned negative; /* elements of a hundred */
    bool sorted;
    uint64_t seed;
};

/* What the threads work on, and what must come of it. */
struct diverge_data {
    float *x, *want, *got;
    int *count; /* rounds of each thread's loop */
    size_t bytes;
};
int diverge_prepare(const struct diverge_plan *, struct diverge_data *, const struct session *,
                    struct report *);
void diverge_free(struct diverge_data *);

/* By the rule. */
struct diverge_rule {
    unsigned warps, mixed;   /* mixed: with lanes on several sides, or that leave a loop apart */
    unsigned partial;        /* warps in which some threads have no element */
    unsigned sides;          /* of the warp that has most */
    uint64_t needed, taken;  /* lanes that work in a side or round, of all lanes there */
    bool has_divergent;      /* what the counter of divergent branches must say is known: */
    unsigned divergent;
};
struct diverge_rule diverge_rule(const struct diverge_plan *, const struct diverge_data *);

/* Into attempt.value go the results that are right, of attempt.expected. Where the trial asks for
 * a trace, it is of this warp of block 0. */
int diverge_run(const struct trial *, const struct diverge_plan *, const struct diverge_data *,
                const struct diverge_rule *, unsigned warp, struct attempt *);

#endif
