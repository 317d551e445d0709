/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cuRAND is NVIDIA's library of random numbers. Here are its functions for the host: they fill an
 * array in the memory of the GPU. Only the process that works with the GPU calls them, in the
 * context that is current there.
 *
 * cudalab is built without NVIDIA's curand.h. This header declares what it needs of it.
 */
#ifndef DEV_GPU_RAND_H
#define DEV_GPU_RAND_H

#include "base/err.h"
#include "dev/jobs.h"

#include <stddef.h>

enum rand_status { /* curandStatus_t */
    RAND_OK = 0, RAND_VERSION_MISMATCH = 100, RAND_NOT_INITIALIZED = 101,
    RAND_ALLOCATION_FAILED = 102, RAND_TYPE_ERROR = 103, RAND_OUT_OF_RANGE = 104,
    RAND_LENGTH_NOT_MULTIPLE = 105, RAND_LAUNCH_FAILURE = 201, RAND_INITIALIZATION_FAILED = 203,
    RAND_ARCH_MISMATCH = 204, RAND_INTERNAL_ERROR = 999
};

struct rand { /* all zero: not open */
    void *library, *generator;
    int type; /* the generator's */
#define RAND(name, parameters) int (*name) parameters;
#include "dev/gpu/rand.def"
#undef RAND
};

/* Opens it unless it is open, with a generator of this type. Work goes to the stream. -1: there is
 * no cuRAND, or it can't work here, and the error says why. */
int rand_open(struct rand *, int type, void *stream, struct err *e);
void rand_close(struct rand *); /* open or not */
/* Queues the call, from the seed's first number on. */
int rand_uniform(const struct rand *, const struct random_job *, struct err *e);

#endif
