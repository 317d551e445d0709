/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A student's function in a kernel: one device function of a lab's module is replaced in its PTX,
 * as text, and the module is loaded again. No compiler runs.
 */
#ifndef LABKIT_PATCH_H
#define LABKIT_PATCH_H

#include "labkit/run.h"

/* body: a whole `.func` of that name. -1: the report says why. */
int module_patch(struct session *, const char *module, const char *function,
                 const struct buf *body, struct report *);

#endif
