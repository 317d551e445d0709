/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long each step of a program takes, with its arrays made and moved in one of four ways
 * (labkit/transfer.h): allocate, copy in, run, copy out, free. Measured, on a GPU alone.
 */
#ifndef LABKIT_STEPS_H
#define LABKIT_STEPS_H

#include "labkit/params.h"
#include "labkit/transfer.h"

struct step_times {
    unsigned runs; /* 0: nothing was timed */
    double seconds[PROGRAM_STEPS];
};

/* On a GPU, and where times may be shown. */
bool steps_wanted(const struct session *, const struct report *);
/* lab_launch within its steps, as often as --repeat says. The transfer's arrays are the kernel's
 * first parameters, in this order. -1: the report says why. */
int steps_time(struct step_times *, const struct transfer *, const struct trial *,
               const struct lab_launch *, const struct param *);
/* A table, and the same as "steps" in the result; nothing where nothing was timed. */
void say_steps(const struct step_times *, const struct transfer *, struct report *);
void put_steps(const struct step_times *, const struct transfer *, struct json *);

#endif
