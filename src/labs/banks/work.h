/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One access to shared memory by one warp, run as a kernel of kernels/banks.cu: its passes
 * counted, its values checked.
 */
#ifndef LABS_BANKS_WORK_H
#define LABS_BANKS_WORK_H

#include "labkit/banks.h"
#include "labkit/run.h"

enum { BANK_MOST_PAD = 64 };

struct bank_run {
    struct bank_access access;
    bool trace, quiet;
    /* What came out: */
    bool right;  /* the values are */
    uint64_t wavefronts;
    struct launch_result result; /* to be freed */
};

int bank_run(struct bank_run *, struct session *, struct report *);
/* The least padding that mends this run's conflicts, tried as a kernel too; *best -1 where none
 * does. */
int say_bank_padding(const struct bank_run *, const struct bank_pattern *, int *best,
                     struct session *, struct report *);
void say_bank_run(const struct bank_run *, const struct bank_passes *predicted, struct report *);

#endif
