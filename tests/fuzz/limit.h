/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An allocator for the simulator that has so much and no more, and may fail at one allocation in
 * between. It also holds the simulator to what it says: a size given back that isn't the one that
 * was asked for, or memory left over at the end, ends the fuzzer.
 */
#ifndef TESTS_FUZZ_LIMIT_H
#define TESTS_FUZZ_LIMIT_H

#include "sim/sim.h"

struct limit {
    size_t bytes;       /* what there is */
    size_t in_use;
    uint64_t requests;  /* of memory, so far */
    uint64_t fails_at;  /* the number of the one that finds none; 0: each finds some */
};

struct sim_allocator limit_allocator(struct limit *);
void limit_end(const struct limit *); /* all is given back */

#endif
