/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What to type after a file was loaded and after its kernel ran: lines that are right as they
 * stand, with the names of the student's own kernel and arrays.
 */
#ifndef REPL_WHAT_NEXT_H
#define REPL_WHAT_NEXT_H

#include "own/call.h"
#include "own/unit.h"
#include "screen/report.h"

/* Arrays that the first kernel lacks, a launch of it, and its result. */
void what_next_loaded(const struct session *, const struct unit *, struct report *);
/* Appends a launch of the kernel, with the names of its parameters as arrays. false: a parameter
 * has a type for which there is no simple argument. */
bool what_next_launch(const struct session *, const struct unit *, const struct unit_kernel *,
                      struct buf *);
/* The launch came to its end, and nothing was found by these checkers. */
void what_next_launched(const struct session *, const struct unit_kernel *, const struct own_call *,
                        unsigned checks, struct report *);
/* Ctrl-C ended the launch; the report's error says where. */
void what_next_stopped(const struct session *, const struct unit_kernel *, const struct own_call *,
                       struct report *);

#endif
