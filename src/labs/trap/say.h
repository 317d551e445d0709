/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the trap lab shows: the facts of its variants, and the textbook's own launches.
 */
#ifndef LABS_TRAP_SAY_H
#define LABS_TRAP_SAY_H

#include "command/command.h"
#include "labs/trap/work.h"

struct trap_options {
    struct lab_options lab;
    double a, b;
    int n;
    const char *f;
    bool n_given, table;
};

struct trap {
    struct lab_run run;
    const struct trap_options *options;
    const char *module; /* "trap", or "trap-f" with the student's function in it */
    struct integrand f;
    struct trapezoid rule;  /* as asked */
    struct trapezoid small; /* for wrong variants: so few terms that losing one shows */
    /* What the facts say: */
    struct trapezoid now;   /* one of these two */
    struct launch_shape shape;
    const char *adds;       /* "one a warp" */
    bool fewer_add;         /* not each thread does */
    double chain, bound, fewer, terms;
    uint64_t threads, atomics, conflicts;
    unsigned warps, lanes;  /* of a block; of its last warp */
    int last;               /* n - 1 */
};

/* Close it also when opening failed. All give -1 where the report has an error. */
int trap_open(struct trap *);
void trap_close(struct trap *);
int trap_table(struct trap *);
extern const struct ladder trap_ladder;

#endif
