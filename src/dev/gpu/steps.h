/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program does around a launch, done and timed step by step, for the process that works
 * with the GPU.
 */
#ifndef DEV_GPU_STEPS_H
#define DEV_GPU_STEPS_H

#include "dev/gpu/driver.h"
#include "dev/gpu/wire.h"
#include "dev/jobs.h"

struct gpu_steps {
    const struct driver *d;
    const struct gpu_launch *launch; /* also: how often the steps are timed */
    struct steps_job job;
    void *function;
    void **params; /* those of arrays lead to the program's own while this runs */
    char *say;     /* why it can't be done */
    size_t room;
};

/* Medians of all runs, 0 for a step that there isn't. The driver's status, or GPU_NOT_RUN: such
 * memory is not to be had. Nothing stays allocated. */
int gpu_steps_time(struct gpu_steps *, double seconds[PROGRAM_STEPS]);

#endif
