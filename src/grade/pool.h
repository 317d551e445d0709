/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several pieces of work at once, each in a copy of this process. A piece that crashes or takes too
 * long is lost alone, and that is told. What all pieces give does not depend on how many run at
 * once, but the order in which they come does.
 */
#ifndef GRADE_POOL_H
#define GRADE_POOL_H

#include "base/go-on.h"
#include "base/lines.h"
#include "base/progress.h"
#include "programs/programs.h"

enum pool_end {
    POOL_DONE,
    POOL_FAILED,  /* the work returned -1, and the text says why */
    POOL_CRASHED, /* the copy crashed, or gave more bytes than `most` */
    POOL_OUT_OF_TIME
};

struct pool {
    const struct programs *programs;
    unsigned count;   /* pieces of work, with numbers from 0 on */
    unsigned at_once; /* 0: one for each core */
    size_t most;      /* bytes of a result; 0: 64 MiB */
    double seconds;   /* for a piece; 0: without end */
    void *self;       /* what the functions get first */
    /* Runs in a copy of this process. What it changes in memory stays there. At Ctrl-C the copy
     * gets SIGTERM. Then it has some seconds to stop what it started. */
    copy_work *work;
    /* Runs in this process as soon as a piece is done, in any order. -1: the pool stops, and why.
     */
    int (*take)(void *self, unsigned number, enum pool_end, struct span result, struct err *);
    const struct go_on *go_on;       /* may be NULL */
    const struct progress *progress; /* may be NULL */
};

/* -1: it was stopped, and no copy runs any more. What was done until then was taken. */
int pool_run(const struct pool *, struct err *);

#endif
