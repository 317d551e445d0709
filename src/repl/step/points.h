/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of stepping that stop it (points.c), and those that ask or change its order (asking.c,
 * info.c).
 */
#ifndef REPL_STEP_POINTS_H
#define REPL_STEP_POINTS_H

#include "repl/step/expression.h"

/* false: no instruction is of this line, and the report says which line is near. */
bool stepping_has_line(struct stepped *, int line, struct report *);

/* Always -1. The column of the error counts in this text, which ends the command. */
int stepping_fail_in(struct report *, const char *text, struct err *);

/* The values in the lanes of the warp in focus; the lanes that have one. why: others have none. */
uint32_t stepping_values(struct stepped *, struct lane_expression *,
                         struct lane_number value[STEP_LANES], struct err *why);

extern const struct command word_break, word_watch, word_delete;
extern const struct command word_print, word_schedule;
extern const struct command word_info, word_display, word_undisplay;

/* Which warps and blocks go first, and from where on: in sentences, and as "choices". */
void choices_say(struct stepped *, struct report *);
void choices_json(struct stepped *, struct json *);

#endif
