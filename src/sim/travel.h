/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A launch that goes forwards and backwards. A place in it is the number of warp instructions that
 * have been executed. The launch can be brought to any place; there its state has the same bytes
 * each time.
 *
 * The launch runs on one core. Its observers are told of everything that runs, and much runs
 * several times. An event belongs to the place `when` of its struct sim_at: the instruction that
 * leads to this place has caused it.
 */
#ifndef CUDASIM_TRAVEL_H
#define CUDASIM_TRAVEL_H

#include "sim.h"

struct sim_travel;

/* Starts a launch and stays at place 0, where its first block has begun. NULL: sim_message() says
 * why. Until the end, the handle can do nothing else. */
struct sim_travel *sim_travel_begin(struct sim *, const struct sim_launch *);
void sim_travel_end(struct sim_travel *); /* all memory is as it was before the launch */

struct sim_run *sim_travel_run(struct sim_travel *);
uint64_t sim_travel_at(const struct sim_travel *);
uint64_t sim_travel_last(const struct sim_travel *); /* UINT64_MAX: its end is not known yet */
/* DONE or FAULTED: the launch has ended at this place. */
enum sim_status sim_travel_status(const struct sim_travel *);

/* Brings the launch to a place, or to its end where that comes before. -1: memory is out. */
int sim_travel_to(struct sim_travel *, uint64_t place);

/* Runs from a place on, so that observers see what happens; until `to`, or a little further, or
 * until *enough, or the end of the launch. The launch stays somewhere behind. -1: memory is out. */
int sim_travel_scan(struct sim_travel *, uint64_t from, uint64_t to, const bool *enough);

/* The latest place before this one where a scan begins at once. Else it first runs to its begin. */
uint64_t sim_travel_near(const struct sim_travel *, uint64_t place);

/* From a place on, a warp goes first as long as it can: until it waits, ends, or lets others have a
 * turn. Then the usual order goes on. The same can be said of all warps of a block, which begins if
 * it has not begun. A choice is a part of the launch: whoever comes to the place comes to the
 * choice. A new one takes the place of all that come later. */
enum { SIM_ALL_WARPS = 0xffff, SIM_CHOICES = 64 };
struct sim_choice {
    uint64_t place, block;
    unsigned warp; /* SIM_ALL_WARPS: those of the block */
};
/* Goes to the place. -1: memory is out. 1: the warp can't go on there, or there are too many
 * choices; nothing has changed. */
int sim_travel_choose(struct sim_travel *, const struct sim_choice *);
const struct sim_choice *sim_travel_choices(const struct sim_travel *, unsigned *count);
/* At its begin, a launch gets all choices of another one. */
void sim_travel_repeat(struct sim_travel *, const struct sim_choice *, unsigned count);

size_t sim_travel_bytes(const struct sim_travel *); /* that its copies take */

#endif
