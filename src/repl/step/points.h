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

/* "s[5]", "tile[1][0]": an element with an index for each dimension of its array. */
enum { CELL_NAME = 64 + 24 * DECLARED_DIMS };
const char *cell_name(const struct lane_cell *, char out[CELL_NAME]);

/* The watched access that led here: in a sentence, as "watched", and as the cell that the view
 * shows. points_hit() is false where there is none. */
bool points_hit(struct stepped *, struct step_hit *, struct lane_cell *);
void points_hit_text(struct stepped *, char out[WHY_TEXT]);
void points_hit_json(struct stepped *, struct json *);
/* The element that was watched last; NULL: none is. */
const struct lane_cell *points_watched(const struct stepped *);
int points_list(struct stepped *, struct report *);

/* Which warps and blocks go first, and from where on: in sentences, and as "choices". */
void choices_say(struct stepped *, struct report *);
void choices_json(struct stepped *, struct json *);

#endif
