/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of stepping that stop it (points.c), and those that ask or change its order (asking.c).
 */
#ifndef REPL_STEP_POINTS_H
#define REPL_STEP_POINTS_H

#include "repl/step/stepping.h"

/* false: no instruction is of this line, and the report says which line is near. */
bool stepping_has_line(struct stepped *, int line, struct report *);

/* Always -1. The column of the error counts in this text, which ends the command. */
int stepping_fail_in(struct report *, const char *text, struct err *);

extern const struct command word_break, word_watch, word_delete;
extern const struct command word_print, word_schedule;

/* Which warps and blocks go first, and from where on: in sentences, and as "choices". */
void choices_say(struct stepped *, struct report *);
void choices_json(struct stepped *, struct json *);

#endif
