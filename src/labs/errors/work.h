/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work of the lab `errors`: a host program that asks none of its calls whether it worked, run
 * as far as it goes, and beside each call what it would have said.
 */
#ifndef LABS_ERRORS_WORK_H
#define LABS_ERRORS_WORK_H

#include "labkit/ladder/ladder.h"

/* An error as the runtime API has it. */
struct runtime_error {
    const char *name; /* "cudaErrorIllegalAddress" */
    int number;
    const char *text; /* as cudaGetErrorString says it */
    bool stays;       /* every later call of the process fails with it */
};
/* What ended a launch, by the name of its fault; the success for "". NULL: it has none. */
const struct runtime_error *runtime_error_of(const char *fault);

enum unchecked_tag { UNCHECKED_CONFIG = 1, UNCHECKED_ASYNC = 2, UNCHECKED_NOSYNC = 4 };
extern const char *const unchecked_faults[]; /* of --fault */

struct errors_options {
    struct lab_options lab;
    int n, threads, fault; /* fault: index in unchecked_faults */
    bool threads_given;
};

struct unchecked {
    struct lab_run run;
    const struct errors_options *options;
    int n, fault;
    unsigned blocks, threads;              /* of one variant */
    const struct runtime_error *no_memory; /* of the cudaMalloc that fails; NULL: none does */
    const struct runtime_error *launch;    /* what became of the launch */
    /* What the facts say: */
    int64_t expected;
    bool async;
    const char *cause, *reason, *error;    /* the fault's name, a sentence, the error's name */
};
/* -1: the report says what is wrong with the command. */
int unchecked_open(struct unchecked *);
extern const struct ladder unchecked_ladder;

#endif
