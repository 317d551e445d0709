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

/* Runs from a place on, so that observers see what happens; until `to`, or a little further, or until
 * *enough, or the end of the launch. The launch stays somewhere behind. -1: memory is out. */
int sim_travel_scan(struct sim_travel *, uint64_t from, uint64_t to, const bool *enough);

/* The latest place before this one where a scan begins at once. Else it first runs to its begin. */
uint64_t sim_travel_near(const struct sim_travel *, uint64_t place);

size_t sim_travel_bytes(const struct sim_travel *); /* that its copies take */

#endif
