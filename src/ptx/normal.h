/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The normal form of a kernel: its instructions without all that its author can change and leave the
 * code as it is. Registers, variables and functions have no names, but numbers in the order of their
 * use. A parameter is its position, and a label is a distance. Comments, line numbers, debug
 * information and initial values are dropped. The functions that a kernel calls follow it.
 *
 * Two kernels are compared as wholes, and by their runs of PTX_RUN instructions. Each run is
 * numbered on its own, so what was inserted elsewhere does not change it.
 */
#ifndef PTX_NORMAL_H
#define PTX_NORMAL_H

#include "base/mem.h"
#include "ptx/ptx.h"

enum { PTX_RUN = 5 };

struct ptx_normal {
    uint64_t whole;        /* a hash of all */
    uint64_t *runs;        /* a hash of each run, sorted */
    size_t run_count;
    uint32_t instructions; /* those in no run of a skeleton */
};

/* Runs that stand in the skeleton are left out. It may be NULL. -1: out of memory. */
int ptx_normal_of(const struct ptx_module *, const struct ptx_function *kernel,
                  const struct ptx_normal *skeleton, struct arena *, struct ptx_normal *);
/* The runs of several kernels in one. -1: out of memory. */
int ptx_normal_join(struct ptx_normal *all, const struct ptx_normal *more, struct arena *);
/* The part of their runs that both have, from 0 to 1. */
double ptx_normal_share(const struct ptx_normal *, const struct ptx_normal *);

#endif
