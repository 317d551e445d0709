/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all cards of one compute capability share: their architecture, what a multiprocessor
 * has room for, and in what pieces it hands registers and shared memory out.
 */
#ifndef DEV_CAPABILITY_H
#define DEV_CAPABILITY_H

#include "base/lines.h"

/* 0 means not known. */
struct capability {
    int major, minor;
    const char *architecture;
    int year;              /* of the architecture's first card */
    const char *such_as;   /* a card that has it */
    int threads_per_sm, blocks_per_sm;
    int registers_per_sm, registers_per_block, registers_per_thread;
    int shared_per_sm;     /* bytes */
    int cores_per_sm, f64_per_sm;
    int register_unit;     /* registers of a warp, or, before 2.0, of a block, come in these */
    int partitions;        /* of an SM's registers; warps are dealt out to them evenly */
    int shared_unit, shared_reserved; /* bytes; the latter of each block, for the system */
};
extern const struct capability capabilities[]; /* oldest first */
extern const size_t capability_count;

/* That of a card; of one newer than the table, the last before it. NULL: below 1.0. */
const struct capability *capability_of(int major, int minor);
/* Before 2.0 registers were given to blocks; since then to warps. */
bool capability_gives_blocks(const struct capability *);
bool capability_by_cuda_13(const struct capability *); /* it still compiles for these */

/* As typed: 86, 8.6, sm_86, compute_86, or the name of a profile. 86 is 8.6. */
bool capability_read(struct span word, unsigned *cc);

#endif
