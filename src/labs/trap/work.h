/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One kernel of kernels/trap.cu run once, with the host's part before and after it: start
 * value, h, the product at the end. A variant's tag says what its kernel needs of the host.
 */
#ifndef LABS_TRAP_WORK_H
#define LABS_TRAP_WORK_H

#include "labkit/ladder/ladder.h"
#include "labkit/shape.h"
#include "labs/trap/trapezoid.h"

enum trap_tag {
    ADDS_THREADS, ADDS_WARPS, ADDS_BLOCKS, ADDS_STRIDE, /* who adds to the total */
    ADDS_MASK = 3,
    FULL_WARPS = 4, /* it takes blocks of whole warps only */
    ODD_WARP = 8,   /* it shows something only if the last warp is not full */
    NO_H = 16,      /* the host passes h = 0 */
    NO_START = 32,  /* the host leaves the start value to the kernel */
    NO_SCALE = 64,  /* nobody, or the kernel itself, multiplies by h */
    BIG_BLOCKS = 128 /* as many threads a block as there can be, if not told */
};

/* 0 blocks or threads: choose. -1: they don't fit variant and n; the report says what does. */
int trap_choose(const struct lab_variant *, int n, int blocks, int threads,
                const struct device_props *, struct launch_shape *, struct report *);
/* The longest chain of additions that a value goes through, and the atomics this takes. */
double trap_chain(const struct lab_variant *, int n, struct launch_shape);
uint64_t trap_atomics(const struct lab_variant *, int n, struct launch_shape);

/* What came out. A kernel that was stopped is not right, whatever its sum is. */
int trap_run(const char *module, const struct trapezoid *, struct launch_shape,
             const struct trial *, struct attempt *);

#endif
