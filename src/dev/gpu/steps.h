/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does and times what a program does around a launch, step by step (JOB_STEPS of dev/jobs.h), in
 * the process that works with the GPU.
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
    void **params; /* meanwhile those of arrays lead to the program's arrays */
    char *say;     /* gets why it can't be done */
    size_t room;
};

/* Fills in the medians of all runs, and 0 for a step that does not exist. Returns the driver's
 * status, or GPU_NOT_RUN where such memory can't be allocated. Nothing stays allocated. */
int gpu_steps_time(struct gpu_steps *, double seconds[PROGRAM_STEPS]);

#endif
