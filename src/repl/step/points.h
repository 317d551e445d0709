/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of stepping that stop it (points.c) and that ask (asking.c, info.c).
 */
#ifndef REPL_STEP_POINTS_H
#define REPL_STEP_POINTS_H

#include "repl/step/stepping.h"

/* false: no instruction is of this line, and the report says which line is near. */
bool stepping_has_line(struct stepped *, int line, struct report *);

extern const struct command word_break, word_watch, word_delete;
extern const struct command word_print, word_where, word_schedule;
extern const struct command word_info, word_display, word_undisplay;

#endif
