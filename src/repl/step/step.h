/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the rest of the shell knows of a launch that is being stepped.
 */
#ifndef REPL_STEP_H
#define REPL_STEP_H

#include <stdbool.h>

struct shell;
struct report;

void stepping_end(struct shell *); /* memory is as it was before the launch; NULL is fine */
/* The last move, which an empty line at the prompt repeats. NULL: there is none. */
const char *stepping_again(const struct shell *);
/* `step` alone would go to a finding of the command that has just run; finding.c. */
bool stepping_would_find(const struct shell *, const struct report *);

#endif
