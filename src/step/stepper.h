/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stepping through a launch on the simulator, forwards and backwards. One lane of one warp is in
 * focus; most moves are of its warp. A place is the number of warp instructions executed so far.
 *
 * Nothing here reads commands or shows anything: what the launch is doing at a place is for
 * sim/inspect.h to tell.
 */
#ifndef STEP_STEPPER_H
#define STEP_STEPPER_H

#include "base/err.h"
#include "base/go-on.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim;
struct sim_launch;
struct sim_run;
struct sim_instruction;
struct sim_kernel;
struct sim_warp_state;
struct sim_observer;
struct sim_result;
struct stepper;

/* NULL: e says why the launch can't begin. */
struct stepper *stepper_begin(struct sim *, const struct sim_launch *, struct err *);
void stepper_end(struct stepper *); /* all memory is as it was before the launch; NULL is fine */

/* Begins again with another order of blocks and warps; breakpoints stay, choices do not. -1: it
 * can't, and only stepper_end() is possible from then on. */
int stepper_begin_again(struct stepper *, int schedule, uint64_t seed, struct err *);

/* From here on a warp goes first, or all warps of a block; see sim/travel.h. -1: it can't. */
enum { STEP_ALL_WARPS = 0xffff };
int stepper_choose(struct stepper *, uint64_t block, unsigned warp, struct err *);
/* The i-th choice, by their places. false: there are no more. */
struct step_choice {
    uint64_t place, block;
    unsigned warp;
};
bool stepper_choice(const struct stepper *, unsigned i, struct step_choice *);

/* Runs the launch once from its begin, so that other observers see each event once, in order. Then
 * stepper_observed() brings it back to where it was. NULL: stopped, or e says why. */
const struct sim_result *stepper_observe(struct stepper *, const struct sim_observer *,
                                         unsigned count, struct err *);
int stepper_observed(struct stepper *, struct err *);

/* A move asks whether to go on; where it has to stop, the launch stays where it then is. */
void stepper_stops_by(struct stepper *, struct go_on);

/* ---- where it is ---------------------------------------------------------------------------- */

struct step_shape {
    const struct sim_kernel *kernel;
    unsigned grid[3], block[3];
    const unsigned char *params; /* of the kernel, by sim_param.offset */
};
const struct step_shape *stepper_shape(const struct stepper *);
struct sim_run *stepper_run(const struct stepper *);
uint64_t stepper_place(const struct stepper *);
uint64_t stepper_last_place(const struct stepper *); /* UINT64_MAX: not known yet */
bool stepper_has_ended(const struct stepper *);

struct step_focus {
    uint64_t block;
    unsigned warp, lane;
};
/* As sim_inspect_warp(); lanes that wait at a barrier, and one that has a fault, are at its line.
 */
bool stepper_warp(const struct stepper *, uint64_t block, unsigned warp, struct sim_warp_state *);
struct step_focus stepper_focus(const struct stepper *);
/* false: no such lane is running here, and the focus stays. */
bool stepper_set_focus(struct stepper *, struct step_focus);
/* What the lane in focus executes next; NULL: it has ended, or its block is not there. */
const struct sim_instruction *stepper_next(const struct stepper *);

/* What the launch executes next: an instruction of a warp that need not be the one in focus. false: it
 * has ended, or ends by this instruction, or memory is out. */
struct step_coming {
    uint64_t block;
    unsigned warp;
    const struct sim_instruction *code;
};
bool stepper_coming(struct stepper *, struct step_coming *);

/* ---- moves ---------------------------------------------------------------------------------- */

enum step_stop {
    STEP_THERE,     /* where the move should lead */
    STEP_AT_BEGIN,  /* it would lead to before the launch */
    STEP_AT_END,    /* the launch has ended, well or by a fault */
    STEP_OF_THREAD, /* the lane in focus has ended */
    STEP_AT_BREAK,  /* at a breakpoint, whose number stepper_at_point() gives */
    STEP_AT_WATCH,  /* at a watched access, likewise */
    STEP_NOT_THERE, /* there is no such place in that direction; the launch has not moved */
    STEP_STOPPED,   /* on the way, by Ctrl-C */
    STEP_NO_MEMORY
};

/* So many PTX instructions of the warp in focus; back: backwards. */
enum step_stop stepper_instructions(struct stepper *, uint64_t count, bool back);
/* To another line of the lane in focus; over: in its function, or in the one that called it. */
enum step_stop stepper_lines(struct stepper *, uint64_t count, bool over, bool back);
/* To where the lane in focus has returned from the function that it is in. */
enum step_stop stepper_finish(struct stepper *);
/* To a place where the warp in focus comes to this line. */
enum step_stop stepper_until(struct stepper *, int line, bool back);
/* To the next breakpoint or watched access, of any warp, or to the end or the beginning. */
enum step_stop stepper_continue(struct stepper *, bool back);
/* To where the warp in focus comes to a barrier; to where its lanes part at a branch. */
enum step_stop stepper_to_barrier(struct stepper *, bool back);
enum step_stop stepper_to_divergence(struct stepper *, bool back);
/* If the warp in focus is not running there, the focus goes to the one that has just executed
 * something. Moves that lead to the end do so, too. */
enum step_stop stepper_to_place(struct stepper *, uint64_t place);

/* ---- breakpoints and watched memory --------------------------------------------------------- */

/* Lanes of a warp that have come to an instruction and are about to execute it. */
struct step_lanes {
    uint64_t block;
    unsigned warp;
    uint32_t lanes;
    const struct sim_instruction *at;
};
/* Of these lanes, those for which the breakpoint is meant. It is asked while the launch runs, each
 * time that a warp comes to the line; registers and memory are as they are there. */
typedef uint32_t step_condition(void *self, const struct step_lanes *);

/* condition: NULL where there is none. The number of the breakpoint, from 1 on; -1: there are too
 * many. A line that no instruction has: 0. */
int stepper_break(struct stepper *, int line, step_condition *, void *self);
/* Does this instruction begin its line? Breakpoints of the line stop before it. */
bool stepper_begins_line(const struct stepper *, const struct sim_instruction *);
/* Bytes of memory: shared memory of the block in focus, or global memory. */
int stepper_watch(struct stepper *, bool shared, uint64_t address, uint64_t bytes);
bool stepper_remove(struct stepper *, int number);
/* The i-th of them; its line is 0 where it is watched memory. false: there are no more. */
bool stepper_point(const struct stepper *, unsigned i, int *number, int *line);
int stepper_at_point(const struct stepper *); /* 0: it is at none */

/* The accesses to shared and global memory by the instruction that led to this place. */
struct step_access {
    bool shared, store;
    uint64_t block;
    unsigned warp, bytes;
    uint32_t mask;
    uint64_t address[32];
};
/* false: there were none. */
bool stepper_access(struct stepper *, struct step_access *);

#endif
