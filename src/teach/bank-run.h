/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One access to shared memory by one warp, run as a kernel of kernels/banks.cu: its passes
 * counted, its values checked.
 */
#ifndef TEACH_BANK_RUN_H
#define TEACH_BANK_RUN_H

#include "teach/banks.h"
#include "teach/run.h"

struct bank_run {
    struct bank_access access;
    bool trace, quiet;
    /* What came out: */
    bool right;  /* the values are */
    uint64_t wavefronts;
    struct launch_result result; /* to be freed */
};

/* Has a block of this device as much shared memory? */
bool bank_run_fits(const struct bank_run *, const struct session *);
int bank_run(struct bank_run *, struct session *, struct report *);
void say_bank_run(const struct bank_run *, const struct bank_passes *predicted, struct report *);

#endif
