/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memories of a device, from a thread's registers to the far one of all: how large each is
 * here, who reaches it, how long it lives; and how an SM divides its own memory between the L1
 * cache and shared memory.
 *
 * Sizes come from the device's properties. CUDA has no property for the divisions: dev/cards.def
 * has them.
 */
#ifndef LABKIT_MEMORIES_H
#define LABKIT_MEMORIES_H

#include "screen/report.h"

/* A table of them, also "memories" in the result; touched: requests to each, or NULL. */
void say_memories(struct report *, const struct device_props *, const struct counters *touched);
/* Registers as the textbook's table 6.7 has them beside what they are; in the result alone. */
void json_table_6_7(struct report *);

/* Has l1_and_shared_kb and shared_kb; NULL: the division is not known for this one. */
const struct capability *division_of(const struct device_props *);
/* How many blocks that ask for so much fit into what a division leaves to shared memory, by that
 * alone. 0 bytes: no limit, -1. */
int64_t division_blocks(const struct device_props *, uint64_t shared_bytes, uint64_t asked);
/* A row for each division, also "carveouts" in the result. */
void say_divisions(struct report *, const struct device_props *, uint64_t asked);

#endif
