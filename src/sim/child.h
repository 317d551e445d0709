/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The grids of a launch: the one that the host launched, and the child grids that device code
 * launches. The header is for src/sim/ alone.
 *
 * One grid runs at a time. A child grid begins when all blocks of its parent have ended, as CUDA
 * allows: it never promises that the two run at the same time. A grid is complete when its child
 * grids are, and only then its tail launches begin. So the grids are a tree, and they run in the
 * order of a walk through it. The children of one grid run in the order in which they were
 * launched, or, where the order of blocks is drawn from a seed, in another order that their streams
 * allow.
 */
#ifndef SIM_CHILD_H
#define SIM_CHILD_H

#include "sim/code.h"

/* Numbers, and their text for messages. */
#define DEEPEST_GRID 24
#define MOST_PENDING 2048
enum { GRID_PARAMS_EXTRA = 16 };

/* Streams that device code can name. Those that it makes have higher handles. */
enum { STREAM_NULL, STREAM_LEGACY, STREAM_PER_THREAD, STREAM_TAIL, STREAM_FIRE_AND_FORGET };
#define STREAMS_MADE UINT64_C(0x1000)

/* Grids in the order in which they are to begin. */
struct grid_list {
    struct run_grid *first, *last;
};

struct run_grid {
    struct run_grid *parent, *next; /* next: on the list that it is on */
    struct grid_list children, tail;
    const struct sim_kernel *kernel;
    const struct sim_instruction *called; /* the call that writes memory; NULL: a launch */
    unsigned size[3], block[3];
    uint64_t shared_bytes;
    unsigned char *params;
    uint64_t buffer;  /* the address where its parent writes its parameters */
    uint64_t stream;  /* those of one stream run one after the other */
    uint64_t number;  /* 0: the host launched it; else counted in the order of the launches */
    uint64_t streams; /* how many streams were made before it began */
    uint64_t drawn;   /* a place among its siblings, drawn from the seed */
    unsigned depth;   /* of the host's grid 0 */
    bool in_order;    /* its children wait for events, so they run in the order of their launches */
    bool tail_launch;
    bool ready;       /* the order of its children is decided */
};

struct sim_run;
struct warp;

/* A grid that its parent is about to launch: it waits for its parameters. NULL: memory is out. */
struct run_grid *child_prepare(struct sim_run *);
struct run_grid *child_prepared(struct sim_run *, uint64_t buffer); /* NULL: no grid has it */
void child_queue(struct sim_run *, struct run_grid *);
void child_drop(struct sim_run *, struct run_grid *); /* a prepared one, that can't be launched */
/* The grid that is to begin next; NULL: there is none. The grid that has ended is forgotten. */
struct run_grid *child_next(struct sim_run *);
void child_end(struct sim_run *); /* forgets all */

#endif
