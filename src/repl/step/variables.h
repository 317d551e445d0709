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
/* A number with this name among the variables of a place. */
enum variable_found variable_at(struct stepped *, const struct lane_place *, const char *name,
                                struct name_variable *);
/* Its value in a lane of the place; false: it has none. */
bool variable_in(const struct stepped *, const struct lane_place *, unsigned lane,
                 const struct name_variable *, struct lane_number *);
struct lane_number variable_number(const struct name_type *, const unsigned char *bytes);

/* The local whole numbers of a lane where it stands, with a value each; how many. */
enum { VARIABLES_SHORT = 6 };
struct variable_short {
    char name[32];
    struct lane_number value;
};
unsigned variables_short(struct stepped *, const struct lane_place *, unsigned lane,
                         struct variable_short[VARIABLES_SHORT]);

bool variables_have(const struct stepped *, const char *name); /* somewhere in the module */
void variables_try(const struct stepped *, struct near *);     /* tries the names of all */

#endif
