/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of kernels/barrier.cu, and of barrier-cluster.cu for 9.0: how many threads of how
 * many blocks one gets, what it should find, one run of it. A variant's tag says who waits for whom,
 * and how it is launched.
 */
#ifndef LABS_BARRIER_WORK_H
#define LABS_BARRIER_WORK_H

#include "labkit/ladder/ladder.h"

enum barrier_tag {
    WAIT_BLOCK,              /* all threads of a block */
    WAIT_WHO = 1,            /* those of them that are below `who` have the work */
    WAIT_TILE = 2,           /* lanes of a warp, `group` of them */
    WAIT_WARPS = 3,          /* whole warps of a block, `group` threads */
    WAIT_GRID = 4,           /* all blocks */
    WAIT_CLUSTER = 5,        /* the blocks of a cluster */
    WAIT_MASK = 7,
    COUNTS_ITSELF = 8,       /* blocks count themselves in memory */
    TWO_LAUNCHES = 16,
    STRIDES = 32,            /* more numbers than threads */
    TOO_MANY = 64,           /* more blocks than run at once */
    PLAINLY = 128,           /* launched by <<<>>> though it should not be */
    ALL_TAKE = 256,          /* of who has work, all threads take one number */
    NEVER_ENDS = 512,        /* on a GPU, or anywhere */
    MASK_NAMES_ALL = 1024,   /* `group` lanes wait for all 32 */
    BOTH_SIDES = 2048        /* who takes the branch or doesn't: all have work */
};

enum { CLUSTER_BLOCKS = 4 };    /* CLUSTER of kernels/barrier-cluster.cu */
enum { BARRIER_STEPS = 1000000 }; /* warp instructions for what never ends */

struct barrier_shape {
    unsigned blocks, threads, who, group;
    unsigned fits;   /* blocks of that size that the device runs at once */
    unsigned per_sm; /* and one multiprocessor */
    int64_t numbers; /* that are left and taken */
};

/* 0: choose. -1: the report says what would do. */
struct barrier_wish { int blocks, threads, who, group; };
int barrier_choose(const struct lab_variant *, struct barrier_wish, const struct device_props *,
                   struct barrier_shape *, struct report *);

struct barrier_taken { int64_t numbers, right; };

/* got->value is the sum of what was taken. */
int barrier_run(const struct trial *, const struct barrier_shape *, struct attempt *,
                struct barrier_taken *);

#endif
