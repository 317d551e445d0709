/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timing what a command launches. While launches are kept, each launch of the session becomes a
 * part of a sequence (dev/timing.h). Then the sequence is timed as a whole, and forgotten. One who
 * keeps launches takes care that nobody else does: session_keeps_launches() tells.
 */
#ifndef LABKIT_TIMES_H
#define LABKIT_TIMES_H

#include "base/sample.h"
#include "dev/timing.h"
#include "session/session.h"

#define TIMES_CONFIDENCE 0.95

bool session_keeps_launches(const struct session *);
/* From here on launches belong to this sequence, 1 or 2. */
void session_keep_launches(struct session *, unsigned sequence);
/* Times what was kept; -1: the report says why not. Free the result by timing_free(). */
int session_time_launches(struct session *, const struct timing_want *, struct timing *,
                          struct report *);
void session_forget_launches(struct session *);

/* Is what is launched now to be timed, as often as the session's `runs` say? Then it is kept as
 * sequence 1 from now on. session_forget_launches() ends that. */
bool session_begins_to_keep(struct session *, const struct report *);
/* Times it, then. Where fewer runs may do: as often as fits into a fifth of a second. */
int session_sample_launches(struct session *, struct sample *, struct report *);

/* The same as the time of a launch and of a report. */
void times_to_result(const struct sample *, struct launch_result *);

#endif
