/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device may be able to do a job in place of a plain launch. This header lists the kinds of
 * struct launch_job, and the struct that each kind is given. Only GPUs can do these jobs.
 */
#ifndef DEV_JOBS_H
#define DEV_JOBS_H

#include "obs/streams.h"

#include <stdbool.h>
#include <stdint.h>

enum { JOB_DOT = 1, JOB_STEPS, JOB_PRODUCT, JOB_PEER, JOB_STREAMS, JOB_RANDOM };

/* NVIDIA's library cuBLAS computes a dot product. It is limited and timed as a launch is.
 * cublasSdot reads n floats from x on, each step_x after the one before, and likewise from y on. It
 * writes the sum of their products to `to`. All are addresses on the device. */
struct dot_job { uint64_t x, y, to, n; int step_x, step_y; };

/* It computes a product of matrices, C = A B, by cublasSgemm. A has m rows and k columns, B has k
 * rows and n columns. All are floats, row by row without padding. `one` and `zero` are addresses of
 * these two floats on the device, where cuBLAS reads them. */
struct product_job { uint64_t a, b, c, one, zero; int m, n, k; };

/* NVIDIA's library cuRAND fills an array of n floats at `to` with uniform random numbers, from the
 * first number of the seed on. */
enum random_type { RANDOM_XORWOW = 101, RANDOM_MRG = 121, RANDOM_PHILOX = 161 }; /* curandRngType_t */
struct random_job { uint64_t to, n, seed; enum random_type type; };

/* What a job of a library is told. */
union library_job { struct dot_job dot; struct product_job product; struct random_job random; };

/*
 * This job is a launch with all that a program does around it: it allocates arrays in one of four
 * ways, fills them, moves them, brings them back and frees them. A clock of the host times each
 * step. The program's arrays are not those that the launch is given: they begin with the same
 * bytes, and the result is copied back. The job's out is double[PROGRAM_STEPS]: seconds, the
 * medians of how->runs; 0 where there is no such step.
 */
enum transfer_kind { BY_PAGES, BY_COPIES, BY_PINNED_COPIES, BY_MAPPING };
enum program_step { STEP_ALLOCATE, STEP_IN, STEP_KERNEL, STEP_OUT, STEP_FREE, PROGRAM_STEPS };
enum { STEPS_ARRAYS = 4 };
struct steps_job {
    enum transfer_kind kind;
    unsigned count;
    struct steps_array { unsigned param; bool in, out; uint64_t bytes; } arrays[STEPS_ARRAYS];
};

/* A plain copy of so many bytes to another card of this computer. The job's out is
 * double[PEER_WAYS]: the seconds of the fastest copy through memory of the host, and with peer access,
 * 0 where these cards have none. */
enum peer_way { PEER_BY_HOST, PEER_DIRECT, PEER_WAYS };
struct peer_job { uint64_t bytes; int card; };

/*
 * This job is a whole program with streams. The first parameters of its kernel are the plan's
 * arrays, then comes the number of elements, an int: both are the operation's own in each launch.
 * The launch is given the arrays with all data of the host: what the host writes comes from there,
 * and what it reads goes there, so they have `total` elements. The arrays that the program works
 * with have `size` elements, and begin as zeros. The job's out is double[count][STREAM_TIMES]: the
 * seconds of each operation, of the run whose length is the median of how->runs. Behind them stand
 * the lengths of all runs: the shortest and the mean.
 */
enum stream_time { STREAM_CALLED, STREAM_RETURNED, STREAM_BEGAN, STREAM_ENDED, STREAM_TIMES };
enum { STREAM_SHORTEST, STREAM_MEAN, STREAM_LENGTHS };
struct streams_job {
    struct stream_plan plan;
    struct stream_op ops[]; /* plan.count of them */
};

#endif
