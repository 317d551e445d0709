/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barriers in shared memory, as asynchronous copies and still.c need them. The header is for
 * src/sim/ alone.
 */
#ifndef SIM_MBARRIER_H
#define SIM_MBARRIER_H

#include "sim/reach.h"

/* What the forms of an instruction ask for. */
enum {
    MBARRIER_DROPS = 1,
    MBARRIER_NO_COMPLETE = 2,
    MBARRIER_EXPECTS = 4,   /* the number given is of bytes */
    MBARRIER_COMPLETES = 8, /* ... that have come */
    MBARRIER_PARITY = 16,
    MBARRIER_NO_INC = 32
};

struct mbarrier {
    unsigned char *word;
    uint64_t place, owner; /* in the shared memory of which block (its index) */
    enum sim_space space;
};

/* The one that a copy names by its generic address. False: there is none; that is a fault. */
bool mbarrier_find(struct warp *, unsigned lane, uint64_t at, struct mbarrier *);
enum after mbarrier_bytes(struct warp *, unsigned lane, const struct mbarrier *, uint32_t bytes);
/* What is missing there, where all wait. False: there is no mbarrier. */
bool mbarrier_cause(struct warp *, unsigned lane, uint64_t address, char *out, size_t size);

#endif
