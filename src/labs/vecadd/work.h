/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The vecadd lab: how many blocks of how many threads each variant has, one run of it, and what
 * is shown of it.
 */
#ifndef LABS_VECADD_WORK_H
#define LABS_VECADD_WORK_H

#include "labkit/ladder.h"
#include "own/shape.h"
#include "labkit/steps.h"
#include "labkit/transfer.h"
#include "labkit/vectors.h"

enum vecadd_tag {
    ADDS_BOTH, ADDS_BLOCKS_ONLY, ADDS_THREADS_ONLY, ADDS_WALKING, /* blocks and threads */
    VECADD_SHAPE = 3,
    NO_GUARD = 4, /* it shows something only where a thread is left over */
    NO_WAIT = 8   /* the host reads z while blocks still run */
};

struct vecadd {
    struct session *session;
    const struct args *args;
    struct report *report;
    const struct lab_variant *variants;
    struct vectors v;
    struct transfer_array arrays[4];
    struct transfer moves;
    struct step_times steps;
    unsigned done; /* blocks that had run when a host that doesn't wait read z */
};

/* Close it also when opening failed; -1: the report says why. */
int vecadd_open(struct vecadd *, struct session *, const struct args *,
                const struct lab_variant *variants, struct report *);
void vecadd_close(struct vecadd *);
struct old_ladder vecadd_ladder(struct vecadd *);

#endif
