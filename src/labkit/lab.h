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
#include "screen/pen.h"

/* For a lab's command: S is the struct of its options; `lab` and `run` are in the same file. */
#define LAB_COMMAND(S) .kind = CLASS_LAB, .size = sizeof(S), .lab = &lab, .run = run

/* The end of a screen: --trace, and --counters or the setting of that name. */
void lab_extras(const struct session *, const struct lab_options *, const struct launch_result *,
                struct report *);
/* Its last part: the counters, where they are asked for. */
void lab_counters(const struct session *, const struct lab_options *, const struct launch_result *,
                  struct report *);
/* The i-th number that this seed draws. */
uint32_t lab_drawn(uint64_t seed, uint32_t i);
/* A finding that the lab is there to show: it is no fault of this run. */
void lab_expected(struct report *, const char *kind);
/*
 * The runtime calls that a program of the lab makes: the section `== calls VARIANT` of
 * help/FILE.txt, else `== calls`, with its slots filled in. Below each call stands what it moves,
 * where it moves bytes, and who waits for whom:
 *
 *     cudaMemcpy(&result, sum, 4, cudaMemcpyDeviceToHost)
 *       moves: 4 bytes to the host
 *       waits: the copy waits for the kernel, the host for the copy
 *
 * They are told on the screen, and are "calls" in the result.
 */
void say_calls(struct report *, const char *file, const char *variant, const struct slots *);
void say_calls_of(struct report *, const struct buf *); /* of such a section, slots filled in */
void lab_calls(struct report *, const char *file, const char *variant, const struct fact *,
               const void *found);
/* Why and Try below such calls: the sections `== why calls-VARIANT` and `== try calls-VARIANT`
 * where there are any, since a Why is of calls that this variant makes; else those of `calls`. */
void lab_explain_calls(struct report *, const char *file, const char *variant,
                       const struct slots *);
/* Why and Try from help/FILE.txt, with the facts in their slots. */
void lab_explain(struct report *, const char *file, const char *which, const struct fact *,
                 const void *found);
void lab_explain_slots(struct report *, const char *file, const char *which, const struct slots *);

#endif
