/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a launch is doing where a stepper has brought it: its blocks, the lanes of a warp,
 * registers, shared memory, what was printed, the fault that ended it. Who shows it reads it here,
 * and needs to know nothing of the simulator's inside.
 */
#ifndef STEP_LOOK_H
#define STEP_LOOK_H

#include "step/stepper.h"

#include "sim/inspect.h"

enum { STEP_LANES = 32 };

/* Lanes that stand at the same instruction, which they execute next. */
enum step_state { STEP_READY, STEP_WAITS_BLOCK, STEP_WAITS_CLUSTER, STEP_WAITS_LANES };
struct step_group {
    uint32_t mask;
    enum step_state state;
    unsigned depth; /* calls that they are in */
    const struct sim_instruction *next;
};
struct step_warp {
    uint32_t existing, alive; /* lanes that have a thread; and that have not ended */
    unsigned count;
    struct step_group group[STEP_LANES]; /* by their first lanes */
};
/* false: the block has not begun, or has ended. */
bool step_look_warp(const struct stepper *, uint64_t block, unsigned warp, struct step_warp *);
/* The group of the lane in focus; NULL: the lane has ended. */
const struct step_group *step_group_of(const struct step_warp *, unsigned lane);

struct step_blocks {
    uint64_t all, ended, running;
    unsigned warps, threads; /* of each block */
};
struct step_blocks step_look_blocks(const struct stepper *);
/* Of the running blocks the first ones; how many are there. */
size_t step_running_blocks(const struct stepper *, uint64_t *blocks, size_t most);

/* A register of a lane in the block and warp in focus. false: the lane has none of this name. */
struct step_value {
    enum sim_type type;
    uint64_t bits;
};
bool step_look_register(const struct stepper *, unsigned lane, const char *name,
                        struct step_value *);

/* The registers whose values the line in focus shows: those that its instructions set so far, and
 * those that they read next. Their values are valid here. */
enum { STEP_NAMES = 16, STEP_NAME = 24 };
struct step_names {
    unsigned count;
    char name[STEP_NAMES][STEP_NAME];
};
void step_names_of_line(const struct stepper *, struct step_names *);

/* The i-th shared array of the block in focus. false: there are no more. */
struct step_shared {
    const char *name; /* NULL: the memory that the launch asked for */
    enum sim_type type;
    uint64_t at, bytes;
    const unsigned char *data; /* NULL: the block is not running */
};
bool step_look_shared(const struct stepper *, unsigned i, struct step_shared *);

/* The line nearest to this one that has instructions in the file of the kernel's; 0: none has. */
int step_line_near(const struct stepper *, int line);
/* All instructions of the module. */
const struct sim_instruction *step_look_code(const struct stepper *, uint32_t *count);

size_t step_print_count(const struct stepper *);
const struct sim_print *step_print_at(const struct stepper *, size_t i);
/* The fault that ended the launch here; NULL: there is none. */
const struct sim_fault *step_look_fault(const struct stepper *);

#endif
