/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sequence as the process that works with the GPU keeps it: the memory that its first launch
 * found, and what was done from then on.
 */
#ifndef DEV_GPU_PROCESS_SEQUENCE_H
#define DEV_GPU_PROCESS_SEQUENCE_H

#include "dev/gpu/process-parts.h"

/* An area's bytes from before the sequence. */
struct kept_area {
    uint64_t address, bytes;
    uint64_t before; /* the copy; 0: it is a number */
    uint32_t number; /* in place of a copy, where the area has only so many bytes */
    bool variable;   /* of a module */
    /* While it is timed: */
    bool differs;   /* it has other bytes now: after it all, it has them again */
    uint64_t after; /* these bytes, likewise */
    uint32_t number_after;
    bool changed; /* by a run */
    bool fixed;   /* not changed by any: it needs no copy, and has none any more */
    bool moves;   /* each further copy of the arrays has one of it, at this place in it */
    uint64_t place;
};

struct step {      /* a launch, or bytes that the host stored */
    char *payload; /* of the launch's request; NULL: stored bytes */
    size_t room;
    uint64_t module;
    struct launch launch;          /* while it is timed */
    uint64_t address, bytes, from; /* what was stored where, and a copy of it on the card */
};

struct sequence {
    struct kept_area *kept;
    size_t kept_count, kept_capacity;
    struct step *steps;
    size_t step_count, step_capacity;
    uint32_t launches;
    double took, shortest; /* seconds, when it was kept: of all launches, and of one */
    const char *broken; /* why it can't be timed; NULL: it can */
};

bool kept_is_number(const struct kept_area *);

#endif
