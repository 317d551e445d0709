/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A generator of cuRAND's functions for the host, and how a call of them fails.
 */
#ifndef RUN_LIBRARIES_HOST_H
#define RUN_LIBRARIES_HOST_H

#include "run/libraries/library.h"
#include "run/libraries/rand/source.h"

enum rand_status_number { /* curandStatus_t */
    OK = 0, NOT_INITIALIZED = 101, ALLOCATION_FAILED = 102, TYPE_ERROR = 103, OUT_OF_RANGE = 104,
    LENGTH_NOT_MULTIPLE = 105, LAUNCH_FAILURE = 201
};

struct curandGenerator_st {
    int magic; /* 0: it was destroyed. So the struct itself stays, and a late use is found */
    cudaStream_t stream;
    struct source source;
};
typedef struct curandGenerator_st *generator;

/* The status is told with the call, and is returned. */
int rand_failed(const char *call, int status);
/* The call is not served: what of it is told. */
int rand_lacking(const char *call, const char *what);
/* Is it a generator? */
int rand_check(const char *call, const struct curandGenerator_st *g);

#endif
