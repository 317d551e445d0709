/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The vecadd lab: how many blocks of how many threads each variant has, one run of it, and what
 * is shown of it.
 */
#ifndef LABS_VECADD_WORK_H
#define LABS_VECADD_WORK_H

#include "labkit/ladder/ladder.h"
#include "labkit/transfer.h"
#include "labkit/vectors.h"

enum vecadd_tag {
    ADDS_BOTH, ADDS_BLOCKS_ONLY, ADDS_THREADS_ONLY, ADDS_WALKING, /* blocks and threads */
    VECADD_SHAPE = 3,
    NO_GUARD = 4, /* it shows something only where a thread is left over */
    NO_WAIT = 8   /* the host reads z while blocks still run */
};

struct vecadd_options {
    struct lab_options lab;
    struct vectors_typed vectors;
    int mem; /* enum transfer_kind */
    bool mem_given;
    int host_threads; /* 0: none */
};

struct vecadd {
    struct lab_run run;
    const struct vecadd_options *options;
    struct vectors v;
    struct transfer_array arrays[4];
    struct transfer moves;
    struct step_times steps;
    unsigned done; /* blocks that had run when a host that doesn't wait read z */
    /* What the facts say of a variant: */
    struct launch_shape shape;
    char not_run[160]; /* what this device lacks for it, or empty */
    bool all;          /* it is about all variants */
    bool waits_not, one_done, old; /* old: no host may touch managed memory while a kernel runs */
    unsigned more;     /* blocks that run after that */
    const char *mem, *how;
    uint64_t bytes; /* of one vector */
    uint64_t in, out, threads, idle, last, most, warps, loads;
    uint64_t one, packed; /* loads: a warp an element, and full warps */
};

/* Close it also when opening failed; -1: the report says why. */
int vecadd_open(struct vecadd *);
extern const struct ladder vecadd_ladder;

#endif
