/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the source says about a fault: in which way a condition keeps threads from a barrier, and
 * which index left its array. Lessons use the student's own names.
 */
#ifndef OWN_CAUSE_H
#define OWN_CAUSE_H

#include "own/call.h"
#include "own/unit.h"

/* The text of a file of kernels: the student's own, or a lab's; empty: it is not known. */
struct span kernel_source(const struct session *, const char *file);
/* Fills in fault->cause. kernel and call may be NULL: the launch is not at hand. */
void cause_find(const struct session *, const struct unit_kernel *, const struct own_call *,
                struct fault *);

#endif
