/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screens of the latency lab: one level, all of them in a table, the host's calls. All give
 * -1 where the report has an error.
 */
#ifndef LABS_LATENCY_SAY_H
#define LABS_LATENCY_SAY_H

#include "labs/latency/work.h"
#include "command/command.h"

int latency_one(struct session *, const struct args *, const struct lab_variant *,
                struct report *);
int latency_all(struct session *, const struct args *, const struct lab_variant *all,
                struct report *);
int latency_calls(struct session *, const struct lab_variant *, struct report *);

#endif
