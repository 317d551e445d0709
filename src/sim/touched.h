/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which bytes of global memory a worker of a launch has touched, and how: see cores.h. The header
 * is for src/sim/ alone.
 *
 * A bit for each byte, in pages that come when they are needed, found by the number of the
 * allocation and the page in it: allocations neither come nor go while workers run.
 */
#ifndef SIM_TOUCHED_H
#define SIM_TOUCHED_H

#include "sim/run.h"

/* LOGGED: by atomics that are done later, in their order. COMBINED: by atomics of one operation
 * whose order makes no difference. */
enum touch { TOUCH_READ, TOUCH_WRITTEN, TOUCH_LOGGED, TOUCH_COMBINED, TOUCHES };
enum { TOUCH_WORDS = PAGE / 64 };

struct touched_map {
    uint64_t **page[TOUCHES]; /* NULL: nothing of the allocation; of a page: TOUCH_WORDS or NULL */
};

struct touched_bytes {
    struct touched_map *map; /* by number of the allocation */
    size_t count;
};

int touched_begin(struct sim_run *, struct touched_bytes *); /* -1: memory is out */
/* The lanes access global memory. Of atomics nothing is noted: atomics.c does that. */
void touched_note(struct sim_run *, const struct insn *, uint32_t pc, uint32_t mask,
                  const uint64_t address[LANES], const struct shape *);
/* Bytes of an allocation by its number. False: memory is out. */
bool touched_add(struct sim_run *, size_t number, enum touch, uint64_t from, uint64_t bytes);
/* Have two of the runs touched one byte in such a way that their order can be seen? Looks at page
 * `first` of each allocation, and at each `step`-th one after it. */
bool touched_meet(const struct sim *, struct touched_bytes *const *, unsigned count, uint64_t first,
                  uint64_t step);
/* How many pages have the allocations that the runs have written to? */
uint64_t touched_pages(const struct sim *, struct touched_bytes *const *, unsigned count);

#endif
