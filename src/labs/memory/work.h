/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One kernel of kernels/memory.cu run once, with what the host does before it, and its results
 * held against plain C.
 */
#ifndef LABS_MEMORY_WORK_H
#define LABS_MEMORY_WORK_H

#include "labkit/ladder/ladder.h"

enum memory_job { TOUCH_EACH, THROUGH_SYMBOLS, FILL_BINS, FILL_SHARED };
enum memory_tag {
    MEMORY_JOB = 3,
    BINS_IN_SHARED = 4, /* the bins are dynamic shared memory */
    NO_WHERE = 8        /* the host leaves the device pointer unset */
};
enum { MEMORY_BINS = 16, MEMORY_TERMS = 16000 };

struct memory_size {
    unsigned blocks, threads;
    unsigned keys;         /* a thread, for the bins */
    unsigned terms;        /* of the polynomial */
    unsigned launches;     /* of through_symbols, one after the other */
    uint64_t shared_bytes; /* a block, to be filled */
};
/* -1: more than there is room for, and the report says what would fit. */
int memory_fits(const struct lab_variant *, const struct memory_size *,
                const struct device_props *, struct report *);

/* Into attempt.value go the results that are right, of attempt.expected. *launches: what the
 * kernel's own count says, where it keeps one. */
int memory_run(const struct trial *, const struct memory_size *, struct attempt *,
               unsigned *launches);
/* Dynamic shared memory a block. */
uint64_t memory_shared(const struct lab_variant *, const struct memory_size *);
/* What the counter of local loads must say. */
uint64_t memory_local_loads(const struct lab_variant *, const struct memory_size *);

#endif
