/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Races: two threads reach the same bytes, at least one writes, not both by atomics, and
 * nothing orders them. What orders is in order.h, what is remembered in shadow.h.
 *
 * Lanes of one warp are threads like others: nothing holds them in step. Two writes of the same
 * value are left in peace unless `strict`. A volatile or relaxed flag is no race either, if its
 * writer has fenced before.
 */
#ifndef CHECK_RACE_RACE_H
#define CHECK_RACE_RACE_H

#include "check/finding.h"

struct race;
struct kept_chunks; /* memory that the launches of a device take in turn: check/race/shadow.h */

/* For one launch; NULL: out of memory. */
struct race *race_open(bool strict, struct findings *, struct kept_chunks *);
void race_close(struct race *);
struct sim_observer race_observer(struct race *);
bool race_partly(const struct race *); /* there was more than it had room for */

#endif
