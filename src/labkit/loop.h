/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Long work of a lab on the host, on all cores: in parts, and loops whose rounds do not need one
 * another. The session's limits end it, and its progress is told.
 */
#ifndef LABKIT_LOOP_H
#define LABKIT_LOOP_H

#include "base/parts.h"
#include "labkit/run.h"

/* -1: a part failed, or it was stopped; the report says why. */
int lab_do_parts(const struct session *, const struct parts *, struct report *);
/* The rounds `from` up to, but not including, `to`. Only their own results may change. */
typedef void lab_rounds(void *self, uint64_t from, uint64_t to);
/* -1: the report says why it ended before all n rounds. */
int lab_loop(const struct session *, uint64_t n, lab_rounds *, void *self, struct report *);

#endif
