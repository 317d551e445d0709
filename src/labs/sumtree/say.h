/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the sumtree lab shows: the values and their order, and the hooks of its ladder.
 */
#ifndef LABS_SUMTREE_SAY_H
#define LABS_SUMTREE_SAY_H

#include "labs/sumtree/work.h"
#include "command/command.h"

struct sumtree {
    struct session *session;
    struct report *report;
    const struct args *args;
    const struct lab_variant *variants;
    struct adding_task task, book; /* as asked; with the textbook's values */
    struct adding last;            /* what the device left */
};

/* -1: the report says why. */
int sumtree_open(struct sumtree *, struct session *, const struct args *,
                 const struct lab_variant *variants, struct report *);
struct old_ladder sumtree_ladder(struct sumtree *);

#endif
