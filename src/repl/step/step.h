/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the rest of the shell knows of a launch that is being stepped.
 */
#ifndef REPL_STEP_H
#define REPL_STEP_H

#include "base/lines.h"

#include <stdbool.h>

struct session;
struct shell;
struct report;

/* The launch that was just taken is of this session. It needs `what`, which `end` ends when the
 * launch is over, or at once where none was taken. `printed`: what its program has printed, if it is
 * not on the screen. */
void stepping_keep(struct shell *, struct session *, void *what, void (*end)(void *what),
                   struct span printed);
void stepping_end(struct shell *); /* memory is as it was before the launch; NULL is fine */
/* The last move, which an empty line at the prompt repeats. NULL: there is none. */
const char *stepping_again(const struct shell *);
/* `step` alone would go to a finding of the command that has just run; finding.c. */
bool stepping_would_find(const struct shell *, const struct report *);

#endif
