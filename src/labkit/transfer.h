/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Four ways for a kernel's arrays to be where host and device need them: managed memory, copies
 * from pageable or from pinned memory, and mapped memory. What a kernel computes is the same with
 * each; what differs is who moves which bytes, and who waits. And how long each step of such a
 * program takes, measured on a GPU alone: allocate, copy in, run, copy out, free.
 */
#ifndef LABKIT_TRANSFER_H
#define LABKIT_TRANSFER_H

#include "dev/jobs.h"
#include "labkit/ladder/ladder.h"
#include "labkit/params.h"

/* By enum transfer_kind. */
extern const char *const transfer_names[]; /* managed copy pinned mapped */
extern const char *const transfer_how[];   /* "by cudaMemcpy, pinned" */

struct transfer_array {
    const char *name; /* "x"; its copies are hx and dx. NULL: the end */
    size_t bytes;
    bool in, out;     /* the kernel reads what the host wrote; the host reads it after */
};

struct transfer {
    enum transfer_kind kind;
    const struct transfer_array *arrays;
};

/* NULL: this device can move memory so; else why it can't, and what it can. */
const char *transfer_refused(enum transfer_kind, const struct device_props *);
uint64_t transfer_bytes(const struct transfer_array *, bool in); /* in, or else out */

/* ---- the time of each step -------------------------------------------------------------- */

struct step_times {
    unsigned runs; /* 0: nothing was timed */
    double seconds[PROGRAM_STEPS];
};

/* lab_launch within its steps, as often as --repeat says. The transfer's arrays are the kernel's
 * first parameters, in this order. -1: the report says why. */
int steps_time(struct step_times *, const struct transfer *, const struct trial *,
               const struct lab_launch *, const struct param *);
/* A table, and the same as "steps" in the result; nothing where nothing was timed. */
void say_steps(const struct step_times *, const struct transfer *, struct report *);
void put_steps(const struct step_times *, const struct transfer *, struct json *);

#endif
