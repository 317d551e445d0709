/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the words that begin a block: what running them and looking for mistakes share. */
#ifndef SCRIPT_RUN_H
#define SCRIPT_RUN_H

#include "script/script.h"

const char *statement_rest(const struct statement *);      /* behind its first word */
const char *statement_condition(const struct statement *); /* of if and else; "": it has none */

struct turns {
    char name[64]; /* empty: the turns are not counted */
    int64_t from, to;
};
/* `repeat 5`, or `repeat i = 0..9`: both ends are included. */
int script_read_turns(struct script *, const struct statement *, struct turns *, struct err *);
/* Can it run among those that ran? *skip: what it needs has not passed. */
int script_check_test(const struct script *, const struct script_test *, bool *skip, struct err *);

#endif
