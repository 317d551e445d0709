/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts from help/, with slots for this run's numbers.
 *
 * A help file has a first line `name: summary`, perhaps a line `also: WORD WORD` (topics.h),
 * then prose; a line `== WORD [WORD]` starts a section: `== why shuffle`, `== try shuffle`,
 * `== calls`. {slot} in a section is replaced by this run's
 * value, as screen/facts.h tells.
 */
#ifndef TEXT_EXPLAIN_H
#define TEXT_EXPLAIN_H

#include "base/buf.h"
#include "screen/facts.h"
#include "screen/wrap.h"
#include <stdbool.h>

/* The section of help/FILE.txt, filled in, wrapped to the report's width under its heading
 * ("Why", "Try"), to the screen, and to "explain" or "try". It is the section `== why one`. If
 * there is none, or if `one` is NULL, it is `== why`. If the report's `told` has the same words for
 * the same faults of the same kernel, the screen gets one line only. "explain" always gets the
 * whole text. Returns -1 if the file has no such section.
 * A try section holds lines `command<two or more blanks>remark`; commands are never broken. */
int explain_why(struct report *, const char *file, const char *one, const struct slots *);
int explain_try(struct report *, const char *file, const char *one, const struct slots *);
/* Shows the explanation and the commands to try of an earlier report again. */
void explain_again(struct report *, const struct buf *why, const struct buf *tries);
/* The general try section to the screen alone, after a blank line; nothing where there is none. */
void help_try(struct report *, const char *file);
/* The raw text of a section, without filling in; NULL where absent. size gets its length.
 * kind NULL: the prose between the first line and the first section. A heading may name
 * several: `== why shared lockstep` serves both. */
const char *help_section(const char *file, const char *kind, const char *one, size_t *size);
/* The section for `one`, else the general one, with its slots filled in. -1: there is neither. */
int help_filled(struct buf *out, const char *file, const char *kind, const char *one,
                const struct slots *);
/* The example in a text: the lines set in by four blanks before the line that says `load help:FILE`.
 * -1: the text has none. */
int help_code(const char *file, struct buf *out);
const char *help_summary(const char *file, char *out, size_t size); /* NULL: no such file */

/* lesson.c: writes the lessons of the report's faults to "explain". A lesson that several faults
 * have is there once. The screen gets the first lesson, and the lesson of the fault that ended the
 * launch; or all of them if `whole` is set. */
void lessons_say(struct report *);
#endif
