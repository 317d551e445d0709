/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work that a device may be able to do in place of a plain launch: the kinds of struct
 * launch_job, and what each is told. Only GPUs can do these.
 */
#ifndef DEV_JOBS_H
#define DEV_JOBS_H

#include <stdbool.h>
#include <stdint.h>

enum { JOB_DOT = 1, JOB_STEPS };

/* A dot product by NVIDIA's library, cuBLAS, limited and timed as a launch is. cublasSdot is told:
 * n floats from x on, each step_x after the last, likewise y, and where the sum of their products
 * goes. All are addresses on the device. */
struct dot_job { uint64_t x, y, to, n; int step_x, step_y; };

/*
 * A launch with all that a program does around it, each step by a clock of the host: arrays made
 * in one of four ways, filled, moved, brought back, freed. The program's arrays are not those that
 * the launch is given: they get the bytes of these, and what comes out goes back to these. The
 * job's out is double[PROGRAM_STEPS]: seconds, medians of how->runs; 0 where there is no such step.
 */
enum transfer_kind { BY_PAGES, BY_COPIES, BY_PINNED_COPIES, BY_MAPPING };
enum program_step { STEP_ALLOCATE, STEP_IN, STEP_KERNEL, STEP_OUT, STEP_FREE, PROGRAM_STEPS };
enum { STEPS_ARRAYS = 4 };
struct steps_job {
    enum transfer_kind kind;
    unsigned count;
    struct steps_array { unsigned param; bool in, out; uint64_t bytes; } arrays[STEPS_ARRAYS];
};

#endif
