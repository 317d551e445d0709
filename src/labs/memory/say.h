/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screens of the memory lab: the facts of its variants.
 */
#ifndef LABS_MEMORY_SAY_H
#define LABS_MEMORY_SAY_H

#include "command/command.h"
#include "labs/memory/work.h"

struct memory_options {
    struct lab_options lab;
    unsigned keys, terms, launches, shared; /* shared: 0: choose */
};

struct memory_lab {
    struct lab_run run;
    struct memory_size size;
    unsigned launched; /* as the kernel of the last run has counted */
    /* What the facts say: */
    bool touches, symbols, bins, carveout; /* what the variant is about */
    bool copied;                           /* symbols, and the copies are told of */
    bool opted_in, fits;                   /* of a carveout; fits: what an SM has is known */
    unsigned warps, each, coefficient_bytes;
    int registers, register_bytes, old, titan, room, whole_kb;
    int64_t fit, resident;
    uint64_t loads, constant_loads, shared, free, most, one, reserved;
};

/* -1: the report says why. */
int memory_open(struct memory_lab *, const struct memory_options *);
extern const struct ladder memory_ladder;

#endif
