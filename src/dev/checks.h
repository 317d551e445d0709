/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checkers of a launch on the simulator, as `launch --check LIST` has them: their names joined
 * by commas, or `all`, which leaves out those that want to be asked for, or `none`. A GPU has none
 * of them.
 */
#ifndef DEV_CHECKS_H
#define DEV_CHECKS_H

#include "base/buf.h"
#include "base/err.h"
#include "check/check.h"

const char *checks_name(unsigned i); /* the i-th word that a list may have; NULL: no more */
int checks_parse(const char *list, unsigned *set, struct err *);
void checks_names(struct buf *);    /* "race,memory,uninit,sync, or race:strict, all, none" */
void checks_describe(struct buf *); /* a line for each checker */

#endif
