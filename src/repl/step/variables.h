/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local variables by their names, where the stepped kernel was loaded with --debug.
 */
#ifndef REPL_STEP_VARIABLES_H
#define REPL_STEP_VARIABLES_H

#include "repl/step/values.h"

/* Reads the names of the kernel's unit, if it has some; stepped->names then is not NULL. */
void variables_begin(struct stepped *, const struct unit *);
/* A row for each number among the variables of these lanes; the lines that it took. */
int variables_say(struct stepped *, const struct step_group *, int most, struct report *);
/* "variables" of JSON: the values by lane, and null where a lane has none. */
void variables_json(struct stepped *, const struct step_group *, struct json *);

/* AWAY: the compiler keeps it nowhere here. NOT_SET: the lane has not come to its first value. */
enum variable_found { NO_VARIABLE, VARIABLE_VALUE, VARIABLE_AWAY, VARIABLE_NOT_SET };
enum variable_found variable_value(struct stepped *, unsigned lane, const char *name,
                                   struct lane_number *);

#endif
