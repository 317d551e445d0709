/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the trap lab shows: the hooks of its ladder, and the textbook's own launches.
 */
#ifndef LABS_TRAP_SAY_H
#define LABS_TRAP_SAY_H

#include "command/command.h"
#include "labs/trap/work.h"

struct trap {
    struct session *session;
    const struct args *args;
    struct report *report;
    const struct lab_variant *variants;
    const char *module; /* "trap", or "trap-f" with the student's function in it */
    struct integrand f;
    struct trapezoid rule;  /* as asked */
    struct trapezoid small; /* for wrong variants: so few terms that losing one shows */
};

/* Close it also when opening failed. All give -1 where the report has an error. */
int trap_open(struct trap *, struct session *, const struct args *,
              const struct lab_variant *variants, struct report *);
void trap_close(struct trap *);
struct ladder trap_ladder(struct trap *);
int trap_table(struct trap *);

#endif
