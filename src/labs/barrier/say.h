/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the barrier lab shows: the facts of its variants.
 */
#ifndef LABS_BARRIER_SAY_H
#define LABS_BARRIER_SAY_H

#include "command/command.h"
#include "labs/barrier/work.h"

struct barrier_options {
    struct lab_options lab;
    int who, group; /* 0: choose */
};

struct barrier {
    struct lab_run run;
    const struct barrier_options *options;
    struct barrier_taken taken; /* in the last run */
    /* What the facts say: */
    struct barrier_shape shape;
    bool of_grid, has_who;
    uint64_t all, together; /* threads of the grid; of those that wait for each other */
    unsigned rest, warps, groups, clusters, over;
    int cluster, sms, steps;
};
extern const struct ladder barrier_ladder;

#endif
