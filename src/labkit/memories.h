/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memories of a device, from a thread's registers to global memory: how large each is here,
 * which threads reach it, how long it lives; and how an SM divides its own memory between the L1
 * cache and shared memory.
 *
 * Sizes come from the device's properties. CUDA has no property for the divisions: dev/cards.def
 * has them.
 */
#ifndef LABKIT_MEMORIES_H
#define LABKIT_MEMORIES_H

#include "screen/report.h"

/* Show a table of them, also "memories" in the result. touched: requests to each, or NULL. */
void say_memories(struct report *, const struct device_props *, const struct counters *touched);
/* The registers that the textbook's table 6.7 gives, and the right numbers; only in the result. */
void json_table_6_7(struct report *);

/* Has l1_and_shared_kb and shared_kb; NULL: the division is not known for this one. */
const struct capability *division_of(const struct device_props *);
/* How many blocks that ask for so many bytes fit into so much shared memory. -1: asked is 0, so
 * there is no limit. */
int64_t division_blocks(const struct device_props *, uint64_t shared_bytes, uint64_t asked);
/* A row for each division, also "carveouts" in the result. */
void say_divisions(struct report *, const struct device_props *, uint64_t asked);

#endif
