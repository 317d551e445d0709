/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that a lab needs, in one include. A lab is a const struct command with a struct lab
 * behind it: its variants, the options it shares with other labs, and a run function that
 * turns options into data, launches, checks the answer, and says what it found.
 */
#ifndef LABKIT_LAB_H
#define LABKIT_LAB_H

#include "command/command.h"
#include "command/variants.h"
#include "labkit/run.h"
#include "screen/facts.h"

/* The end of a screen: --trace, and --counters or the setting of that name. */
void lab_extras(const struct session *, const struct lab_options *, const struct launch_result *,
                struct report *);
/* A finding that the lab is there to show: it is no fault of this run. */
void lab_expected(struct report *, const char *kind);
/* Why and Try from help/FILE.txt, with the facts in their slots. */
void lab_explain(struct report *, const char *file, const char *which, const struct fact *,
                 const void *found);
void lab_explain_slots(struct report *, const char *file, const char *which,
                       struct slots *); /* frees them */

#endif
