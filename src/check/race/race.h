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

extern const struct finding_kind race_shared, race_global;

#endif
