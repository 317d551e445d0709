/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks on the screen, for an instructor: a table of all hand-ins, then what failed by its cause,
 * and the overrides.
 */
#ifndef GRADE_TABLE_H
#define GRADE_TABLE_H

#include "grade/compare.h"
#include "screen/report.h"

void marks_say(struct report *, const struct marks *);
void marks_say_changes(struct report *, const struct mark_changes *);

#endif
