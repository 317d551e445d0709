/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A finding is a lesson: why it happened, in this run's names, the one change that fits, and what to
 * try. The words are in help/findings.txt, in a section for each cure or kind.
 */
#ifndef TEXT_LESSON_H
#define TEXT_LESSON_H

#include "screen/report.h"

/* Says the lessons of the report's faults, each different one once, to screen and to "explain".
 * The screen has the first of them. */
void lessons_say(struct report *);

#endif
