/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memories of a device, from a thread's registers to the far one of all: how large each is
 * here, who reaches it, how long it lives; and how an SM divides its own memory between the L1
 * cache and shared memory.
 *
 * Sizes come from the device's properties. What CUDA has no property for, the divisions, stands
 * in NVIDIA's programming guide, under each compute capability.
 */
#ifndef LABKIT_MEMORIES_H
#define LABKIT_MEMORIES_H

#include "screen/report.h"

/* A table of them, also "memories" in the result; touched: requests to each, or NULL. */
void say_memories(struct report *, const struct device_props *, const struct counters *touched);
/* Registers as the textbook's table 6.7 has them beside what they are; in the result alone. */
void json_table_6_7(struct report *);

struct division {
    int from, to;         /* compute capabilities, 75 is 7.5 */
    int whole_kb;         /* what an SM has for both; 0: L1 lies apart */
    int shared_kb[11];    /* how much of it may be shared memory; ends with -1 */
};
/* NULL: not known for this one. */
const struct division *division_of(const struct device_props *);
/* What each block costs beside what it asks for, since 8.0. */
uint64_t division_reserve(const struct device_props *);
/* How many blocks that ask for so much fit into what a division leaves to shared memory, by that
 * alone. 0 bytes: no limit, -1. */
int64_t division_blocks(const struct device_props *, uint64_t shared_bytes, uint64_t asked);
/* A row for each division, also "carveouts" in the result. */
void say_divisions(struct report *, const struct device_props *, uint64_t asked);

#endif
