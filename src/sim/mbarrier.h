/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What asynchronous copies and still.c need from mbarriers, the barriers in shared memory. Only
 * src/sim/ uses this header.
 */
#ifndef SIM_MBARRIER_H
#define SIM_MBARRIER_H

#include "sim/reach.h"

/* The forms of an mbarrier instruction. */
enum {
    MBARRIER_DROPS = 1,
    MBARRIER_NO_COMPLETE = 2,
    MBARRIER_EXPECTS = 4,   /* its operand is a number of bytes that the phase expects */
    MBARRIER_COMPLETES = 8, /* its operand is a number of bytes that have come */
    MBARRIER_PARITY = 16,
    MBARRIER_NO_INC = 32
};

struct mbarrier {
    unsigned char *word;
    uint64_t place, owner; /* its place in shared memory, and the index of that block */
    enum sim_space space;
};

/* Finds the mbarrier at a generic address, for a copy. False: there is none, and that is a
 * fault. */
bool mbarrier_find(struct warp *, unsigned lane, uint64_t at, struct mbarrier *);
enum after mbarrier_bytes(struct warp *, unsigned lane, const struct mbarrier *, uint32_t bytes);
/* All threads wait at this mbarrier: writes what its phase is missing. False: there is no
 * mbarrier. */
bool mbarrier_cause(struct warp *, unsigned lane, uint64_t address, char *out, size_t size);

#endif
