/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `launch --check LIST` names the checkers of a launch on the simulator: names joined by commas, or
 * `all`, or `none`. `all` leaves out the checkers that must be named. A GPU has no checkers.
 */
#ifndef DEV_CHECKS_H
#define DEV_CHECKS_H

#include "base/buf.h"
#include "base/err.h"
#include "check/check.h"

const char *checks_name(unsigned i); /* the i-th word that a list may have; NULL: no more */
int checks_parse(const char *list, unsigned *set, struct err *);
void checks_names(struct buf *);    /* "race,memory,uninit,sync, or race:strict, all, none" */
void checks_put(unsigned set, struct buf *); /* "race, memory" */
void checks_describe(struct buf *); /* a line for each checker */

#endif
